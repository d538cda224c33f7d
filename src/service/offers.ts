import type { Readable } from 'node:stream';
import { multipartFrame } from './multipart.ts';
import { readJson, readText, refusal, send, sendJson, type Access, type Call } from './http.ts';
import { listReply, recordReply, tagsReply, type OfferRecord } from './schemas.ts';

/** How the body and parameters of an upload are laid out (`service.upload`). */
export type UploadLayout = { body: 'multipart' | 'raw'; field: string; parametersIn: 'query' | 'body' };

/** One upload as it goes over the wire. */
export type OfferFile = {
  /** Carries the token; the service shows it as `sourceFile`. */
  name: string;
  bytes: number;
  content: AsyncIterable<Buffer>;
  /** Null: not sent, the service takes its default (tab for txt). */
  delimiter: string | null;
  charsetName: string | null;
};

/** The caller's hold on an upload under way. */
export type Sending = { signal: AbortSignal; fence: (body: AsyncIterable<Buffer>) => AsyncIterable<Buffer> };

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
  /** The file of an upload as the service kept it. */
  source: (offerId: string) => Promise<Readable>;
  /** The unique tags of an upload's file. */
  listTags: (offerId: string) => Promise<string[]>;
  /** The `.errors` file of an upload. */
  errors: (offerId: string) => Promise<Readable>;
};

/** The typed client of the offer operations. */
export function createOffers(access: Access, layout: UploadLayout): Offers {
  const path = '/us2/public/offer';
  async function download(call: Call): Promise<Readable> {
    const reply = await send(access, call);
    if (reply.status < 200 || reply.status > 299) throw await refusal(access, call, reply);
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
    source: (offerId) => download({ method: 'GET', path: `${path}/source`, query: { offerId } }),
    listTags: async (offerId) =>
      (await sendJson(access, { method: 'GET', path: `${path}/listTags`, query: { offerId } }, tagsReply)).data,
    errors: (offerId) => download({ method: 'GET', path: `${path}/errors`, query: { offerId } }),
  };
}

function until(signal: AbortSignal | undefined): Pick<Call, 'signal'> {
  return signal === undefined ? {} : { signal };
}

async function processOffer(
  access: Access,
  layout: UploadLayout,
  file: OfferFile,
  sending: Sending,
): Promise<OfferRecord> {
  const parameters: Record<string, string> = {};
  if (file.delimiter !== null) parameters['delimiter'] = file.delimiter;
  if (file.charsetName !== null) parameters['charsetName'] = file.charsetName;
  const inBody = layout.body === 'multipart' && layout.parametersIn === 'body';
  const framed =
    layout.body === 'multipart'
      ? multipartFrame({ field: layout.field, fields: inBody ? parameters : {}, file })
      : rawFrame(file);
  const call: Call = {
    method: 'POST',
    path: '/us2/public/offer/process',
    query: inBody ? {} : parameters,
    headers: framed.headers,
    body: sending.fence(framed.body),
    signal: sending.signal,
  };
  const reply = await send(access, call);
  if (reply.status < 200 || reply.status > 299) throw await refusal(access, call, reply);
  return readJson(access, call, await readText(call, reply.body, 1024 * 1024), recordReply);
}

function rawFrame(file: OfferFile): { headers: Record<string, string>; body: AsyncIterable<Buffer> } {
  return {
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(file.bytes),
      'content-disposition': `attachment; filename="${file.name}"`,
    },
    body: file.content,
  };
}
