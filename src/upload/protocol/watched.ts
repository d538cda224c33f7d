import type { Attempt, Reading } from './attempt.ts';

/** So many clocks are remembered for one attempt: each machine has one. */
const CLOCKS = 20;

/**
 * The attempt after a probe: the time since an earlier probe counts as watched when the same monotonic clock measured it, and
 * at most as much of it as the planned wait before this probe. What two clocks measured is never counted twice.
 */
export function watched(attempt: Attempt, { clock, ms }: Reading): Attempt {
  const mark = attempt.marks[clock];
  const reached = mark === undefined ? 0 : mark.watched + ms - mark.at;
  const total = Math.max(attempt.watched, Math.min(attempt.watched + attempt.wait, reached));
  const { [clock]: _, ...others } = attempt.marks;
  const kept = Object.entries(others).slice(1 - CLOCKS);
  return { ...attempt, watched: total, marks: { ...Object.fromEntries(kept), [clock]: { at: ms, watched: total } } };
}

/** The watch begins again with the probe that was just made. */
export function watchedAnew({ watched: before, marks }: Attempt): Pick<Attempt, 'watched' | 'marks'> {
  const moved = Object.entries(marks).map(([clock, mark]) => [clock, { ...mark, watched: mark.watched - before }]);
  return { watched: 0, marks: Object.fromEntries(moved) as Attempt['marks'] };
}

/** Nothing was watched yet. */
export const UNWATCHED: Pick<Attempt, 'watched' | 'marks'> = { watched: 0, marks: {} };
