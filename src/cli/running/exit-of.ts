import type { Outcome, RunAnswer } from '../../model.ts';

/** Exit status of each outcome (docs/reference/cli.md, Exit status). */
const EXIT: Record<Outcome, number> = {
  live: 0,
  partial: 0,
  unchanged: 0,
  nothing: 0,
  held: 3,
  rejected: 3,
  failed: 4,
};

/** The exit status for a run's answer; `strict` makes rejected rows of a live run count. */
export function exitOf(answer: RunAnswer, strict: boolean): number {
  if (answer.outcome === null) return 4;
  return strict && answer.outcome === 'partial' ? 5 : EXIT[answer.outcome];
}
