import type { Readable } from 'node:stream';
import { OfferlineError } from '../../errors.ts';
import { nameOf, type Call, type Reply } from './access.ts';
import { unreachable } from './send.ts';

/** A reply that is read as a whole is small; more than this is not one. */
const MAX_REPLY = 64 * 1024 * 1024;

/** Reads a body as UTF-8 text up to a limit in bytes; the rest is thrown away and the connection closed. */
export async function readText(call: Call, body: Readable, limit: number): Promise<string> {
  return (await readBytes(call, body, limit)).toString('utf8');
}

/** Reads a whole body; a larger one than any reply can be is an error. */
export async function readWhole(call: Call, reply: Reply, limit = MAX_REPLY): Promise<Buffer> {
  const bytes = await readBytes(call, reply.body, limit + 1);
  if (bytes.length <= limit) return bytes;
  const megabytes = Math.round(limit / 1024 / 1024);
  throw new OfferlineError(
    'service-reply',
    `${nameOf(call)} returned more than ${megabytes} MB; ask for smaller pages.`,
  );
}

/** Reads a body up to a limit in bytes; the rest is thrown away and the connection closed. */
export async function readBytes(call: Call, body: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= limit) break;
    }
  } catch (error) {
    throw unreachable(call, 'the reply was cut off', error);
  }
  return Buffer.concat(chunks).subarray(0, limit);
}
