import type { Readable } from 'node:stream';
import { OfferlineError } from '../../errors.ts';
import { type Measure, readReplyBytes, ReplyMeter, wholeReply } from '../../io/peers/read-reply.ts';
import { nameOf, type Call, type Reply } from './access.ts';
import { unreachable } from './send.ts';

const MB = 1024 * 1024;

/** A reply that is read as a whole is small; more than this is not one. What is made of it takes ten times as much memory. */
const MAX_REPLY = 8 * MB;

/** How long a reply may take that is read as a whole, in milliseconds. */
const LONGEST = 10 * 60_000;

/** Reads a body as UTF-8 text up to a limit in bytes; the rest is thrown away and the connection closed. */
export async function readText(call: Call, body: Readable, limit: number): Promise<string> {
  return (await readBytes(call, body, limit)).toString('utf8');
}

/** Reads a whole body; a larger one than any reply can be, or one that takes longer, is an error. */
export async function readWhole(call: Call, reply: Reply, limit = MAX_REPLY): Promise<Buffer> {
  try {
    return await wholeReply(reply.body as AsyncIterable<Uint8Array>, meterOf(call, reply.body, limit));
  } catch (error) {
    throw error instanceof OfferlineError ? error : unreachable(call, 'the reply was cut off', error);
  }
}

/** Reads a body up to a limit in bytes; the rest is thrown away and the connection closed. */
export async function readBytes(call: Call, body: Readable, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of readReplyBytes(body as AsyncIterable<Uint8Array>, meterOf(call, body, Infinity))) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= limit) break;
    }
  } catch (error) {
    throw error instanceof OfferlineError ? error : unreachable(call, 'the reply was cut off', error);
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

function meterOf(call: Call, body: Readable, bytes: number): ReplyMeter {
  const refuse = (measure: Measure, most: number) => {
    const message =
      measure === 'time'
        ? `${nameOf(call)}: no whole reply within ${most / 60_000} min.`
        : `${nameOf(call)} returned more than ${Math.round(most / MB)} MB; ask for smaller pages.`;
    return new OfferlineError('service-reply', message, { details: { limit: measure, most } });
  };
  return new ReplyMeter({ bytes, time: LONGEST }, { stop: () => void body.destroy(), refuse });
}
