import type { ImapFlow } from 'imapflow';
import { OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import type { ServerPlace } from '../server/server.ts';
import { leastDecoded } from './parts.ts';
import { readId } from './mail-file.ts';

/** Bytes that are asked for at once; on a line as slow as a pull may be they come within a minute. */
const CHUNK = 1 << 18;

/** The bytes of an attachment, decoded. Throws `pull-failed` when fewer come than its mail has. */
export async function* readPart(
  client: ImapFlow,
  file: Listed,
  encoding: string | undefined,
  { url }: ServerPlace,
): AsyncGenerator<Uint8Array> {
  const { uid, part } = readId(file.id);
  const { name, size } = file;
  const beginning = encoding === 'base64' ? await beginningOf(client, uid, part) : '';
  const least = leastDecoded(size, encoding, beginning);
  const options = { uid: true, decodeText: false, chunkSize: CHUNK };
  const { content } = await client.download(String(uid), part, options);
  if (content === undefined) {
    const message = `${url} has not the mail with ${name} any more.`;
    throw new OfferlineError('pull-failed', message, { details: { url, changed: true } });
  }
  let bytes = 0;
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    yield chunk;
  }
  if (bytes >= least) return;
  const message = `${url} ended ${name} after ${bytes} bytes; it announced ${size}, encoded.`;
  throw new OfferlineError('pull-failed', message, { retryable: true, details: { url } });
}

/** Longer than any line of base64 that mail programs write. */
const BEGINNING = 2000;

async function beginningOf(client: ImapFlow, uid: number, part: string): Promise<string> {
  const bodyParts = [{ key: part, start: 0, maxLength: BEGINNING }];
  const mail = await client.fetchOne(String(uid), { uid: true, bodyParts }, { uid: true });
  return mail === false || mail === undefined ? '' : (mail.bodyParts?.get(part)?.toString('latin1') ?? '');
}
