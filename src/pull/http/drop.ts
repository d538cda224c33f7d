import type { Readable } from 'node:stream';
import { readReplyBytes } from '../../io/peers/read-reply.ts';
import { meterOf, REFUSAL } from '../limits.ts';
import type { Place } from './errors.ts';

/** Lets a body go that nobody reads: a short one to its end, so that its connection can be used again, a long one unread. */
export async function drop({ body }: { body: Readable }, place: Place): Promise<void> {
  const meter = meterOf(place, REFUSAL, () => void body.destroy());
  try {
    for await (const _ of readReplyBytes(body as AsyncIterable<Uint8Array>, meter));
  } catch {
    // It was of no use anyway.
  }
}
