import { clockFrom, type Clock } from '../../src/clock.ts';

/** A clock that stands until its test lets time pass (`time`, which both of its clocks follow) or sets the wall clock (`ahead`). */
export type StandingClock = { time: number; ahead: number; clock: Clock };

/** Starts one at a wall time; waits pass at once unless the test has others. `onJump` hears how it is set. */
export function standingClock(
  start: number,
  { wait = () => Promise.resolve(), onJump }: { wait?: Clock['wait']; onJump?: (ms: number) => void } = {},
): StandingClock {
  const standing = { time: start, ahead: 0 };
  const source = {
    now: () => standing.time + standing.ahead,
    monotonic: () => standing.time,
    id: 'this machine',
    wait,
  };
  return Object.assign(standing, { clock: clockFrom(source, onJump) });
}
