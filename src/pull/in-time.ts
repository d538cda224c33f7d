import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceConfig } from '../config/schema/source-schema.ts';
import { OfferlineError } from '../errors.ts';
import { interrupted } from './save/save.ts';
import { originOf, type PullInput } from './source.ts';

/** The least that a source must bring: so many bytes in each window of so many milliseconds, from its first byte on. */
export type LeastRate = { bytes: number; window: number };

/** 1 KB/s over a minute. */
const LEAST_RATE: LeastRate = { bytes: 60_000, window: 60_000 };

/** How long a pull that was stopped is given to close its connection, in milliseconds. */
const GRACE = 1000;

/** Sources whose last pull was given up and has not come back: each holds a thread, as a network mount that hangs does. */
const hanging = new Set<string>();

/** How long a pull may take, and of what; and what comes next when it took longer. */
type Bounds = { source: SourceConfig; place: string; deadline: number; next?: string; rate?: LeastRate };

/** What a question to a source is stopped by, and tells of. */
type Asking = Pick<PullInput, 'signal' | 'received'>;

const LATER = 'it will be asked again when the feed is next due';

/**
 * Gives a pull up with `pull-failed` when it takes longer than `deadline` milliseconds, or brings less than the least rate: a
 * source that drips is never silent. A pull that cannot be stopped is left behind, and its source not asked again meanwhile.
 */
export async function inTime<Input extends Asking, Answer>(
  { source, place, deadline, next = LATER, rate = LEAST_RATE }: Bounds,
  input: Input,
  work: (input: Input) => Promise<Answer>,
): Promise<Answer> {
  const id = originOf(source);
  if (hanging.has(id))
    throw failed(place, 'has still not answered an earlier pull; check whether a network drive hangs');
  const stop = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const giveUp = (error: OfferlineError) => {
    stop.abort(error);
    reject(error);
  };
  const onInterrupt = () => giveUp(interrupted(place));
  input.signal?.addEventListener('abort', onInterrupt, { once: true });
  const meter = meterOf(rate, () => giveUp(failed(place, tooSlow(rate), { retryable: true })));
  const tooLate = `took longer than ${deadline / 1000} s (source.deadline); ${next}`;
  const timer = setTimeout(() => giveUp(failed(place, tooLate)), Math.min(deadline, 2 ** 31 - 1));
  const received = (bytes: number) => {
    meter.received(bytes);
    input.received?.(bytes);
  };
  const working = work({ ...input, signal: stop.signal, received });
  try {
    if (input.signal?.aborted === true) onInterrupt();
    return await Promise.race([working, stopped]);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    hanging.add(id);
    const ended = working.then(
      () => hanging.delete(id),
      () => hanging.delete(id),
    );
    await Promise.race([ended, sleep(GRACE, undefined, { ref: false })]);
    throw stop.signal.reason;
  } finally {
    clearTimeout(timer);
    meter.end();
    input.signal?.removeEventListener('abort', onInterrupt);
  }
}

function meterOf({ bytes, window }: LeastRate, onSlow: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let inWindow = 0;
  return {
    received: (count: number) => {
      inWindow += count;
      timer ??= setInterval(() => {
        if (inWindow < bytes) onSlow();
        inWindow = 0;
      }, window);
    },
    end: () => clearInterval(timer),
  };
}

function tooSlow({ bytes, window }: LeastRate): string {
  return `sent less than ${bytes} bytes in ${window / 1000} s; ask the supplier why it is so slow`;
}

function failed(place: string, problem: string, { retryable = false } = {}): OfferlineError {
  const message = `${place} ${problem}.`.replace(/\?\.$/u, '?');
  return new OfferlineError('pull-failed', message, { retryable, details: { place } });
}
