import { pipeline } from 'node:stream';
import { OfferlineError } from '../../errors.ts';
import { canDecode, decodeBytes } from '../../io/text-decode.ts';
import { readReplyBytes, type ReplyMeter, wholeReply } from '../../io/peers/read-reply.ts';
import { type Limited, meterOf } from '../limits.ts';
import { ChunkQueue } from '../save/chunk-queue.ts';
import type { PullInput } from '../source.ts';
import { decode } from './encoding.ts';
import { bodyError, type Place, pullError } from './errors.ts';
import { headerOf, type Reply } from './request.ts';
import { XmlLimitError } from './xml.ts';

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

/**
 * The bytes of the file: transfer compression undone, the announced length checked, failures put into words. Whoever saves them
 * counts them; anything but a file is read by `readLimited`.
 */
export async function* readBody(
  reply: Reply,
  { length, limits, received: receivedBytes }: Bounds,
): AsyncGenerator<Uint8Array> {
  const { place } = reply;
  let received = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of pipeline(reply.body, new ChunkQueue(), () => undefined)) {
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

/** What is unpacked is counted, however well it was packed. */
const PACKED = { fileSize: Infinity, unpackRatio: Infinity };

/** The bytes of a reply that is no file, as far as its limits go. Throws `pull-failed`, which names the limit that it passes. */
export function readLimited(reply: Reply, limited: Limited): AsyncGenerator<Uint8Array> {
  return readReplyBytes(bytesOf(reply), meterOfReply(reply, limited));
}

/** The text of a reply that is no file, in the charset that its label names. Throws as `readLimited`. */
export async function textOf(reply: Reply, limited: Limited): Promise<string> {
  const bytes = await wholeReply(bytesOf(reply), meterOfReply(reply, limited));
  const charset = /charset\s*=\s*"?([\w.:-]+)/iu.exec(headerOf(reply, 'content-type') ?? '')?.[1] ?? 'utf-8';
  return decodeBytes(bytes, canDecode(charset) ? charset : 'utf-8');
}

/** The bytes of a reply that is no file; nobody has counted them yet. */
export function bytesOf(reply: Reply): AsyncGenerator<Uint8Array> {
  return readBody(reply, { length: lengthOf(reply), limits: PACKED });
}

/** A listing in XML that cannot be read: what is wrong with it where it costs too much, else what `otherwise` says. */
export function unreadableListing(error: unknown, place: Place, otherwise: string): OfferlineError {
  if (error instanceof OfferlineError) return error;
  if (!(error instanceof XmlLimitError)) return pullError(place, otherwise);
  return pullError(place, `sent a listing with ${error.message}, which is not read further; ask the supplier.`);
}

/** Counts a reply, and ends it at the first limit that it passes. */
export function meterOfReply({ place, body }: Reply, limited: Limited): ReplyMeter {
  return meterOf(place, limited, () => void body.destroy());
}
