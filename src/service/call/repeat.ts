import { isRetryable, OfferlineError, retryAfterMs } from '../../errors.ts';
import type { Client } from '../client.ts';

const FIRST_WAIT = 250;
const LONGEST_WAIT = 10_000;
/** A service that asks for a longer pause than this is not waited for. */
const LONGEST_RETRY_AFTER = 60_000;

/** How far repeating may go. */
export type Limits = {
  /** How often work is done again. */
  times: number;
  signal?: AbortSignal | undefined;
  /** No wait that ends later is begun: milliseconds of the client's clock. */
  until?: number | undefined;
  onRetry?: (attempt: number, wait: number, error: OfferlineError) => void;
};

/**
 * Does work, and again after failures that may pass: full jitter that doubles, at least what `Retry-After` asks for. Fails
 * with the last failure, with the deadline's, or with `interrupted` when the signal fired.
 */
export async function repeat<T>(
  work: (attempt: number) => Promise<T>,
  { times, signal, until = Infinity, onRetry }: Limits,
  { clock, random }: Pick<Client, 'clock' | 'random'>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    assertNotInterrupted(signal);
    try {
      return await work(attempt);
    } catch (error) {
      assertNotInterrupted(signal, error);
      const asked = retryAfterMs(error) ?? 0;
      if (attempt > times || !isRetryable(error) || asked > LONGEST_RETRY_AFTER) throw error;
      const wait = Math.max(asked, jitter(attempt - 1, random));
      if (clock.now() + wait >= until) throw error;
      onRetry?.(attempt, wait, error as OfferlineError);
      await clock.wait(wait, signal);
    }
  }
}

/** A wait of full jitter: anything from nothing to a bound that doubles with each attempt. */
export function jitter(attempt: number, random: () => number, first = FIRST_WAIT, longest = LONGEST_WAIT): number {
  return random() * Math.min(longest, first * 2 ** attempt);
}

/** Fails when the caller has given the work up, or its deadline has. */
export function assertNotInterrupted(signal: AbortSignal | undefined, cause?: unknown): void {
  if (signal?.aborted === true) throw givenUp(signal, cause);
}

/** The error for a call whose signal has fired: its deadline's, or `interrupted`. */
export function givenUp(signal: AbortSignal, cause: unknown): OfferlineError {
  const reason: unknown = signal.reason;
  if (reason instanceof OfferlineError && 'deadline' in reason.details) return reason;
  return new OfferlineError('interrupted', 'The call was cancelled.', { cause });
}

/** A signal that fires at a deadline as well; `end` stops its timer. */
export function untilDeadline(
  operation: string,
  deadline: number | undefined,
  signal: AbortSignal | undefined,
): { signal: AbortSignal | undefined; end: () => void } {
  if (deadline === undefined) return { signal, end: () => undefined };
  const stop = new AbortController();
  const late = () => {
    const message = `${operation}: no whole reply within ${deadline} ms, the deadline of the call.`;
    stop.abort(new OfferlineError('service-unreachable', message, { retryable: true, details: { deadline } }));
  };
  const timer = setTimeout(late, deadline);
  const both = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  return { signal: both, end: () => clearTimeout(timer) };
}
