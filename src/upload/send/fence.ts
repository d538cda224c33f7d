import { setImmediate as nextTurn } from 'node:timers/promises';
import { OfferlineError } from '../../errors.ts';
import type { Lease } from '../../ledger/lease.ts';

/**
 * Lets a body through chunk by chunk only while the sender owns the lease. The last chunk is withheld until the epoch
 * has been read again from the ledger, so that a sender that was stopped and continued after another took over cannot
 * complete its upload: at most the one chunk leaves that it had in hand, checked but not yet written, when it was stopped.
 * Throwing destroys the socket. `onChunk` is called for each chunk: the caller watches for silence.
 *
 * Each chunk waits a turn of the event loop: a service that refuses before it has read the body closes the connection, and
 * its reply must be read before the next write fails, or a definite no would be an unknown outcome.
 */
export async function* fenced(
  body: AsyncIterable<Buffer>,
  lease: Lease,
  onChunk: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let held: Buffer | undefined;
  for await (const chunk of body) {
    // An empty chunk held back would not be a last one.
    if (chunk.length === 0) continue;
    if (held !== undefined) {
      await nextTurn();
      assertAlive(lease);
      onChunk(held.length);
      yield held;
    }
    held = chunk;
  }
  if (held === undefined) return;
  await nextTurn();
  if (!(await lease.renew())) throw lost(lease);
  assertAlive(lease);
  onChunk(held.length);
  yield held;
}

function assertAlive(lease: Lease): void {
  if (!lease.alive()) throw lost(lease);
}

function lost(lease: Lease): OfferlineError {
  return new OfferlineError(
    'lease-lost',
    `The lease on ${lease.name} was lost while sending; the upload was aborted.`,
    {
      retryable: true,
    },
  );
}
