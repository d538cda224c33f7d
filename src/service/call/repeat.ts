import { isRetryable, OfferlineError, retryAfterMs } from '../../errors.ts';
import type { Client } from '../client.ts';

const FIRST_WAIT = 250;
const LONGEST_WAIT = 10_000;
/** A service that asks for a longer pause than this is not waited for. */
const LONGEST_RETRY_AFTER = 60_000;

/**
 * Does work, and again after failures that may pass: full jitter that doubles, at least what `Retry-After` asks for. Fails
 * with the last failure, or with `interrupted` when the signal fired.
 */
export async function repeat<T>(
  work: () => Promise<T>,
  times: number,
  { clock, random }: Pick<Client, 'clock' | 'random'>,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    assertNotInterrupted(signal);
    try {
      return await work();
    } catch (error) {
      assertNotInterrupted(signal, error);
      const asked = retryAfterMs(error) ?? 0;
      if (attempt >= times || !isRetryable(error) || asked > LONGEST_RETRY_AFTER) throw error;
      await clock.wait(Math.max(asked, jitter(attempt, random)), signal);
    }
  }
}

/** A wait of full jitter: anything from nothing to a bound that doubles with each attempt. */
export function jitter(attempt: number, random: () => number, first = FIRST_WAIT, longest = LONGEST_WAIT): number {
  return random() * Math.min(longest, first * 2 ** attempt);
}

/** Fails with `interrupted` when the caller has given the work up. */
export function assertNotInterrupted(signal: AbortSignal | undefined, cause?: unknown): void {
  if (signal?.aborted === true) throw interrupted(cause);
}

/** The error for a call that its caller has given up. */
export function interrupted(cause: unknown): OfferlineError {
  return new OfferlineError('interrupted', 'The call was cancelled.', { cause });
}
