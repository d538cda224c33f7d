import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { OfferlineError } from '../../errors.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { cleanName } from '../../io/file-name.ts';
import type { ServerPlace } from '../server/server.ts';
import { Base64Decoder } from './base64.ts';
import { leastDecoded, type PartOfMail } from './parts.ts';

/** Bytes that are asked for at once: more are hardly faster, and stay in memory until they are collected. */
const CHUNK = 1 << 16;
/** How often a piece is asked for that does not come, although the server announced it. */
const ATTEMPTS = 3;
/** The least share of what was announced that is a whole part: servers count line ends in their own ways. */
const LEAST_SHARE = 0.8;

/** A part of a mail that is read, and what people call both. */
export type PartToRead = PartOfMail & { uid: number; name: string; subject: string };

/** The bytes of an attachment, decoded. Throws `pull-failed` when the mail has more of it, or it is damaged. */
export async function* readPart(client: ImapFlow, part: PartToRead, place: ServerPlace): AsyncGenerator<Uint8Array> {
  if (part.encoding !== 'base64') return yield* readDecoded(client, part, place);
  const decoder = new Base64Decoder((line) => damaged(part, place, line));
  for await (const piece of readRaw(client, part, place)) {
    const bytes = decoder.write(piece);
    if (bytes.length > 0) yield bytes;
  }
  yield decoder.end();
}

/** A part as it is in the mail. What a server leaves out of a piece is asked for once more. */
async function* readRaw(client: ImapFlow, part: PartToRead, place: ServerPlace): AsyncGenerator<Buffer> {
  const { section, size } = part;
  let at = 0;
  for (let misses = 0; misses < ATTEMPTS;) {
    const mail = await fetchPiece(client, part, at);
    if (mail === undefined) throw gone(part, place);
    const piece = mail.bodyParts?.get(section) ?? Buffer.alloc(0);
    // Now and then a server answers with what was asked for before, or not at all.
    if (originOf(mail, section, at) !== at || (piece.length === 0 && at < size)) {
      misses += 1;
      continue;
    }
    misses = 0;
    at += piece.length;
    if (piece.length > 0) yield piece;
    if (piece.length > CHUNK || (piece.length < CHUNK && at >= size)) return;
  }
  if (at < size * LEAST_SHARE) throw cutShort(part, place, at);
}

async function fetchPiece(
  client: ImapFlow,
  { uid, section }: PartToRead,
  start: number,
): Promise<FetchMessageObject | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const bodyParts = [{ key: section, start, maxLength: CHUNK }];
    const mail = await client.fetchOne(String(uid), { uid: true, bodyParts }, { uid: true });
    if (mail !== false && mail !== undefined) return mail;
  }
  return undefined;
}

/** Where the piece begins that came, as far as the server says. */
function originOf(mail: FetchMessageObject, section: string, asked: number): number {
  const { partialOrigins } = mail as { partialOrigins?: ReadonlyMap<string, number> };
  return partialOrigins?.get(section) ?? asked;
}

/** A part in another encoding than base64, as the library decodes it. */
async function* readDecoded(client: ImapFlow, part: PartToRead, place: ServerPlace): AsyncGenerator<Uint8Array> {
  const { uid, size, encoding } = part;
  const options = { uid: true, decodeText: false, chunkSize: CHUNK };
  const { content } = await client.download(String(uid), part.part, options);
  if (content === undefined) throw gone(part, place);
  let bytes = 0;
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    yield chunk;
  }
  if (bytes < leastDecoded(size, encoding)) throw cutShort(part, place, bytes);
}

/** The error of a mail that was moved or deleted meanwhile. */
export function gone({ name }: { name: string }, { url }: ServerPlace): OfferlineError {
  const message = `${url} has not the mail with ${cleanName(name)} any more.`;
  return new OfferlineError('pull-failed', message, { details: { url, changed: true } });
}

function cutShort({ name, size }: PartToRead, { url }: ServerPlace, bytes: number): OfferlineError {
  const message = `${url} ended ${cleanName(name)} after ${bytes} bytes; it announced ${size}, encoded.`;
  return new OfferlineError('pull-failed', message, { retryable: true, details: { url, short: true } });
}

function damaged({ name, subject }: PartToRead, { url }: ServerPlace, line: number): OfferlineError {
  const mail = foreignText(subject, 100);
  const message = `${cleanName(name)} of the mail “${mail}” in ${url} is damaged: line ${line} of it is not base64. Ask the supplier to send it again.`;
  return new OfferlineError('pull-failed', message, { details: { url, file: cleanName(name), line } });
}
