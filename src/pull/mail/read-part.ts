import type { ImapFlow } from 'imapflow';
import { OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import type { ServerPlace } from '../server/server.ts';
import { endsAs, leastDecoded } from './parts.ts';
import { readId } from './mail-file.ts';

/** Bytes that are asked for at once: more are hardly faster, and stay in memory until they are collected. */
const CHUNK = 1 << 16;

/** The bytes of an attachment, decoded. Throws `pull-failed` when the mail has more of it. */
export async function* readPart(
  client: ImapFlow,
  file: Listed,
  encoding: string | undefined,
  { url }: ServerPlace,
): AsyncGenerator<Uint8Array> {
  const { uid, part } = readId(file.id);
  const { name, size } = file;
  const options = { uid: true, decodeText: false, chunkSize: CHUNK };
  const { content } = await client.download(String(uid), part, options);
  if (content === undefined) {
    const message = `${url} has not the mail with ${name} any more.`;
    throw new OfferlineError('pull-failed', message, { details: { url, changed: true } });
  }
  let bytes = 0;
  let last = Buffer.alloc(0);
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    last = Buffer.concat([last, chunk.subarray(-KEPT)]).subarray(-KEPT);
    yield chunk;
  }
  const isWhole =
    bytes >= leastDecoded(size, encoding) &&
    (encoding !== 'base64' || endsAs(last, await endOf(client, { uid, part, size })));
  if (isWhole) return;
  const message = `${url} ended ${name} after ${bytes} bytes; it announced ${size}, encoded.`;
  throw new OfferlineError('pull-failed', message, { retryable: true, details: { url } });
}

/** Bytes that are kept of the end of a file, to be compared. */
const KEPT = 1000;

/** Where the end of a part is looked at: far enough from it that blank lines do not hide it. */
const BEFORE_END = 2 * KEPT;
/** A server that announced too little has more. */
const AT_MOST = 1 << 16;

async function endOf(
  client: ImapFlow,
  { uid, part, size }: { uid: number; part: string; size: number },
): Promise<string> {
  const bodyParts = [{ key: part, start: Math.max(0, size - BEFORE_END), maxLength: AT_MOST }];
  const mail = await client.fetchOne(String(uid), { uid: true, bodyParts }, { uid: true });
  return mail === false || mail === undefined ? '' : (mail.bodyParts?.get(part)?.toString('latin1') ?? '');
}
