import type { Clock } from '../../../clock.ts';
import { OfferlineError } from '../../../errors.ts';

/** Milliseconds that a call to a queue may take: BullMQ waits without limit for a Redis that does not answer. */
const CALL_LIMIT_MS = 10_000;

/** Waits for a call to a queue, but not without limit: then it fails with `redis`, and what it asked for may still happen. */
export async function inTime<T>(call: Promise<T>, clock: Pick<Clock, 'wait'>): Promise<T> {
  const ended = new AbortController();
  const late = async (): Promise<never> => {
    await clock.wait(CALL_LIMIT_MS, ended.signal);
    throw new OfferlineError('redis', `The queue has not answered for ${CALL_LIMIT_MS / 1000} s.`, { retryable: true });
  };
  const limit = late();
  limit.catch(() => undefined);
  try {
    return await Promise.race([call, limit]);
  } finally {
    ended.abort();
    call.catch(() => undefined);
  }
}
