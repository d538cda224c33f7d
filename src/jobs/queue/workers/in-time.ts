import type { Clock } from '../../../clock.ts';
import { OfferlineError } from '../../../errors.ts';

/** Milliseconds that a call to a queue may take: BullMQ waits without limit for a Redis that does not answer. */
const CALL_LIMIT_MS = 10_000;
/** And for each of many steps, which are quick, but many. */
const STEP_LIMIT_MS = 100;

/** Waits for a call to a queue, but not without limit: then it fails with `redis`, and what it asked for may still happen. */
export async function inTime<T>(call: Promise<T>, clock: Pick<Clock, 'wait'>, steps = 0): Promise<T> {
  const limit = CALL_LIMIT_MS + steps * STEP_LIMIT_MS;
  const ended = new AbortController();
  const late = async (): Promise<never> => {
    await clock.wait(limit, ended.signal);
    throw new OfferlineError('redis', `The queue has not answered for ${limit / 1000} s.`, { retryable: true });
  };
  const tooLate = late();
  tooLate.catch(() => undefined);
  try {
    return await Promise.race([call, tooLate]);
  } finally {
    ended.abort();
    call.catch(() => undefined);
  }
}
