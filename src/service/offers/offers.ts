import type { Readable } from 'node:stream';
import type { Access, Call } from '../http/access.ts';
import { isSuccess, sendJson } from '../http/read.ts';
import { refusal } from '../http/refusal.ts';
import { send } from '../http/send.ts';
import { listReply, recordReply, tagsReply, type OfferRecord } from './schemas.ts';
import { processOffer, type OfferFile, type Sending, type UploadLayout } from './upload.ts';

/** The offer operations of the remote interface (group A) for one login. */
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

/** The typed client of the offer operations. */
export function createOffers(access: Access, layout: UploadLayout): Offers {
  const path = '/us2/public/offer';
  async function download(call: Call): Promise<Readable> {
    const reply = await send(access, call);
    if (!isSuccess(reply)) throw await refusal(access, call, reply);
    return reply.body;
  }
  return {
    process: (file, sending) => processOffer(access, layout, file, sending),
    get: (offerId, signal) =>
      sendJson(access, { method: 'GET', path: `${path}/get`, query: { offerId }, ...until(signal) }, recordReply),
    list: async (page, size, signal) => {
      const call: Call = { method: 'GET', path: `${path}/list`, query: { page, size }, ...until(signal) };
      return (await sendJson(access, call, listReply)).data;
    },
    source: (offerId, signal) =>
      download({ method: 'GET', path: `${path}/source`, query: { offerId }, ...until(signal) }),
    listTags: async (offerId, signal) => {
      const call: Call = { method: 'GET', path: `${path}/listTags`, query: { offerId }, ...until(signal) };
      return (await sendJson(access, call, tagsReply)).data;
    },
    errors: (offerId, signal) =>
      download({ method: 'GET', path: `${path}/errors`, query: { offerId }, ...until(signal) }),
  };
}

function until(signal: AbortSignal | undefined): Pick<Call, 'signal'> {
  return signal === undefined ? {} : { signal };
}
