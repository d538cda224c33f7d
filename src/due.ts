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
