import { PassThrough, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OfferlineError } from '../../errors.ts';
import { canDecode, decodeBytes } from '../../io/text-decode.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import type { PullInput } from '../source.ts';
import { bodyError, type Place, pullError } from './errors.ts';
import { headerOf, type Reply } from './request.ts';

/** The length that was announced. */
export function lengthOf(reply: Reply): number | undefined {
  const text = headerOf(reply, 'content-length');
  return text !== undefined && /^\d+$/u.test(text) ? Number(text) : undefined;
}

/** Below this size no ratio is suspicious: a few repeated lines pack very well. */
const RATIO_FLOOR_BYTES = 64 * 1024;

/** The announced length, the limits on what comes, and what is called for it. */
type Bounds = Pick<PullInput, 'limits' | 'received'> & { length: number | undefined };

function bomb(place: Place, { unpackRatio }: PullInput['limits']): OfferlineError {
  const message = `${place.url} sent a file that unpacks to more than ${unpackRatio} times its transferred size (limits.unpackRatio), like an archive bomb. It was not used.`;
  return new OfferlineError('file-rejected', message, { details: { url: place.url, limit: unpackRatio } });
}

/** The bytes of the file: transfer compression undone, the announced length checked, failures put into words. */
export async function* readBody(
  reply: Reply,
  { length, limits, received: receivedBytes }: Bounds,
): AsyncGenerator<Uint8Array> {
  const { place } = reply;
  let received = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    // Chunks as they come: a stream of bytes would join those that wait, which copies each byte.
    const chunks = pipeline(reply.body, new PassThrough({ objectMode: true, highWaterMark: 16 }), () => undefined);
    for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
      received += chunk.length;
      receivedBytes?.(chunk.length);
      yield chunk;
    }
  }
  try {
    const decoded = decode(counted(), headerOf(reply, 'content-encoding'), place);
    let unpacked = 0;
    for await (const chunk of decoded) {
      unpacked += chunk.length;
      if (unpacked > RATIO_FLOOR_BYTES && unpacked > received * limits.unpackRatio) throw bomb(place, limits);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof OfferlineError) throw error;
    throw bodyError(error, place, { received, length });
  }
}

/** Undoes the compression that the server applied for the transfer; a file that is a zip or gzip itself stays one. */
function decode(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  place: Place,
): AsyncIterable<Uint8Array> {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return chunks;
  if (name !== 'gzip' && name !== 'x-gzip') {
    throw pullError(
      place,
      `sent the file with the content encoding "${foreignText(name, 40)}", which was not requested; ask the supplier.`,
    );
  }
  const gunzip = createGunzip();
  pipeline(Readable.from(chunks), gunzip, () => undefined);
  return gunzip;
}

/** The text of a page, in the charset that its label names. Throws `pull-failed` for more than `most` bytes. */
export async function textOf(reply: Reply, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of readBody(reply, {
    length: lengthOf(reply),
    limits: { fileSize: most, unpackRatio: 1000 },
  })) {
    bytes += chunk.length;
    if (bytes > most) throw pullError(reply.place, `sent a page of more than ${most} bytes; correct source.url.`);
    chunks.push(chunk);
  }
  const charset = /charset\s*=\s*"?([\w.:-]+)/iu.exec(headerOf(reply, 'content-type') ?? '')?.[1] ?? 'utf-8';
  return decodeBytes(Buffer.concat(chunks), canDecode(charset) ? charset : 'utf-8');
}
