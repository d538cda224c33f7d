import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time as the program sees it; tests give their own. */
export type Clock = {
  /** Epoch milliseconds by the wall clock, which may jump: for people, schedules and due times, not for how long something took. */
  now: () => number;
  /** Milliseconds of a clock that only goes forward; its zero means nothing. */
  monotonic: () => number;
  /** Names the monotonic clock: readings of processes that say the same name can be compared. */
  id: string;
  /** Milliseconds that have passed since an earlier time of `now`; jumps that this process saw are no time. */
  since: (at: number) => number;
  /** Waits; ends early, without an error, when the signal fires. */
  wait: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** What a clock is made of. */
type Source = Pick<Clock, 'now' | 'monotonic' | 'id' | 'wait'>;

/** A wall clock that differs by more than this from what has passed has been set, in milliseconds. */
const JUMP = 1000;

/** So many times are remembered that somebody asked about. */
const REMEMBERED = 1000;

/** A period in which the wall clock did not jump: its first and last wall time, and how far it is ahead of the monotonic clock. */
type Period = { from: number; to: number; ahead: number };

/**
 * A clock that knows how the wall clock was set while it ran; `onJump` hears by how many milliseconds.
 * @internal exported for tests
 */
export function clockFrom(source: Source, onJump: (ms: number) => void = () => undefined): Clock {
  const started = source.now();
  const periods: [Period, ...Period[]] = [{ from: started, to: started, ahead: started - source.monotonic() }];
  const moments = new Map<number, number>();

  function now(): number {
    const wall = source.now();
    const ahead = wall - source.monotonic();
    const jump = ahead - periods[0].ahead;
    if (Math.abs(jump) > JUMP) {
      periods.unshift({ from: wall, to: wall, ahead });
      onJump(Math.round(jump));
    } else Object.assign(periods[0], { to: wall, ahead });
    return wall;
  }

  /** What the monotonic clock showed at a wall time; of a time that came twice, the later one. */
  function momentOf(at: number): number {
    const [newest] = periods;
    const oldest = periods.at(-1) ?? newest;
    const held = periods.find(({ from, to }) => from <= at && at <= to);
    if (held !== undefined) return at - held.ahead;
    if (at < oldest.from) return at - oldest.ahead;
    return Math.min(Math.max(at, newest.from), newest.to) - newest.ahead;
  }

  function since(at: number): number {
    now();
    const moment = moments.get(at) ?? momentOf(at);
    if (moments.size >= REMEMBERED) moments.delete(moments.keys().next().value ?? at);
    moments.set(at, moment);
    return Math.max(0, source.monotonic() - moment);
  }

  return { ...source, now, since };
}

/** The machine's clock. `onJump` hears when the wall clock is set, and by how many milliseconds. */
export function machineClock(onJump?: (ms: number) => void): Clock {
  return clockFrom({ now: () => Date.now(), monotonic, id: CLOCK_ID, wait }, onJump);
}

/** Milliseconds since the machine started, for all of its processes alike. */
function monotonic(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  } catch {
    // The signal ended the wait; the code that fired it goes on.
  }
}

/** This start of this machine, where Linux names it; elsewhere this process. Containers may have a time of their own. */
const CLOCK_ID = clockId();

function clockId(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/time')}`;
  } catch {
    return randomUUID();
  }
}

/** The machine's clock for callers that need not know of jumps. */
export const systemClock: Clock = machineClock();

/** When something is due and how long the wait until then was when it was planned, as the ledger keeps it. */
export type Due = { next_at: number; wait_ms: number };

/** Due in so many milliseconds. */
export function dueIn(ms: number, now: number): Due {
  const wait = Math.ceil(ms);
  return { next_at: Math.ceil(now) + wait, wait_ms: wait };
}

/** True when a planned wait is over. One that is longer than it was planned comes from a clock that was set back since. */
export function isDue({ next_at, wait_ms }: Due, now: number): boolean {
  return next_at <= now || next_at - now > wait_ms;
}
