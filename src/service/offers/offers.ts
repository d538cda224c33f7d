import type { Readable } from 'node:stream';
import { exchange } from '../call/exchange.ts';
import { functionsOf } from '../call/functions.ts';
import type { CallOptions } from '../client.ts';
import type { Access } from '../http/access.ts';
import { foreignName, foreignText } from '../../wording/foreign-text.ts';
import { createClient } from '../options.ts';
import { offerOperations } from './operations.ts';
import type { OfferRecord } from './schemas.ts';
import { readRecord, uploadCall, type OfferFile, type Sending } from './upload.ts';
import type { UploadLayout } from '../client.ts';
import type { Hooks } from '../hooks.ts';

/** The offer operations as uploads use them: one login, nothing repeated, ids as they come. */
export type Offers = {
  /**
   * Uploads a file and starts processing. A reply that is not 2xx is a `service-refused` or `service-unauthorized`
   * error with `details.status`; no reply is `service-unreachable`. Never retried here: the caller looks first.
   * Every byte of the body passes through `fence`, which may withhold it by throwing.
   */
  process: (file: OfferFile, sending: Sending) => Promise<OfferRecord>;
  /** One upload's record. The signal gives the call up. */
  get: (offerId: string, signal?: AbortSignal) => Promise<OfferRecord>;
  /** One page of the login's uploads, newest first. Pages count from 0. The signal gives the call up. */
  list: (page: number, size: number, signal?: AbortSignal) => Promise<OfferRecord[]>;
  /** The file of an upload as the service kept it. The signal gives the call up. */
  source: (offerId: string, signal?: AbortSignal) => Promise<Readable>;
  /** The unique tags of an upload's file. */
  listTags: (offerId: string, signal?: AbortSignal) => Promise<string[]>;
  /** The `.errors` file of an upload. */
  errors: (offerId: string, signal?: AbortSignal) => Promise<Readable>;
};

/** A state is a word. */
const MAX_STATE = 100;

/** The offer operations as uploads use them; who waits and asks again is the upload protocol, never this client. */
export function createOffers(access: Access, layout: UploadLayout, hooks: Hooks = {}): Offers {
  const client = createClient({ ...access, ...hooks, upload: layout, retries: 0 });
  const call = functionsOf(offerOperations, client);
  return {
    process: async (file, { signal, fence }) => {
      const sent = uploadCall(layout, file);
      const fenced = { ...sent, body: fence(sent.body) };
      const { process } = offerOperations;
      return kept((await exchange(process, client, fenced, { signal, attempt: 1 }, readRecord)).reply);
    },
    get: async (offerId, signal) => kept(await call.get({ offerId }, until(signal))),
    list: async (page, size, signal) => (await call.list({ page, size }, until(signal))).data.map(kept),
    source: (offerId, signal) => call.source({ offerId }, until(signal)),
    listTags: async (offerId, signal) => (await call.listTags({ offerId }, until(signal))).data,
    errors: (offerId, signal) => call.errors({ offerId }, until(signal)),
  };
}

/** A record as ledger, reports and mails can keep it: a service may write megabytes into a text, or repeat a credential in it. */
function kept({ state, error, sourceFile, ...record }: OfferRecord): OfferRecord {
  return {
    ...record,
    state: foreignName(state, MAX_STATE),
    error: typeof error === 'string' ? foreignText(error) : error,
    sourceFile: typeof sourceFile === 'string' ? foreignName(sourceFile) : sourceFile,
  };
}

function until(signal: AbortSignal | undefined): CallOptions {
  return signal === undefined ? {} : { signal };
}
