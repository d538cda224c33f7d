import type { OfferRecord } from './schemas.ts';
import type { UploadLayout } from '../client.ts';
import type { Call, Reply } from '../http/access.ts';
import { readText } from '../http/body.ts';
import { multipartFrame } from '../http/multipart.ts';
import { readJson } from '../http/read.ts';
import { recordReply } from './schemas.ts';

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

const PATH = '/us2/public/offer/process';

/** The request of an upload. */
export function uploadCall(layout: UploadLayout, file: OfferFile): Call & { body: AsyncIterable<Buffer> } {
  const parameters: Record<string, string> = {};
  if (file.delimiter !== null) parameters['delimiter'] = file.delimiter;
  if (file.charsetName !== null) parameters['charsetName'] = file.charsetName;
  const inBody = layout.body === 'multipart' && layout.parametersIn === 'body';
  const framed =
    layout.body === 'multipart'
      ? multipartFrame({ field: layout.field, fields: inBody ? parameters : {}, file })
      : rawFrame(file);
  return { method: 'POST', path: PATH, query: inBody ? {} : parameters, ...framed };
}

/** The record in the reply to an upload. */
export async function readRecord({ body }: Reply, call: Call): Promise<OfferRecord> {
  return readJson(call, await readText(call, body, 1024 * 1024), recordReply);
}

function rawFrame(file: OfferFile): { headers: Record<string, string>; body: AsyncIterable<Buffer> } {
  return {
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(file.bytes),
      'content-disposition': attachment(file.name),
    },
    body: file.content,
  };
}

/** A header has Latin letters only: other names are written in both of its spellings (RFC 6266). */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/gu, '_');
  const exact =
    plain === name
      ? ''
      : `; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/gu, escaped)}`;
  return `attachment; filename="${plain}"${exact}`;
}

function escaped(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}
