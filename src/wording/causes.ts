import type { Cause, Causes, Outcome } from '../model.ts';
import { FAILED } from './failed.ts';
import { NOT_FAILED } from './not-failed.ts';
import type { CauseWords } from './cause-words.ts';

/** Every outcome with every cause; docs/reference/messages.md shows them all. */
export const CAUSES: { [O in keyof Causes]: Record<Causes[O], CauseWords> } = { ...NOT_FAILED, failed: FAILED };

/** The words for a cause of an outcome; null: the run has none yet. */
export function wordsOf(outcome: Outcome | null, cause: Cause): CauseWords {
  const causes: Partial<Record<Cause, CauseWords>> = CAUSES[outcome ?? 'open'];
  return causes[cause] ?? wordsOf(outcome, usualCause(outcome));
}

const USUAL: { [O in keyof Causes]: Causes[O] } = {
  open: 'at-work',
  live: 'uploaded',
  partial: 'uploaded',
  unchanged: 'same-file',
  nothing: 'no-file',
  held: 'guard',
  rejected: 'file-unusable',
  failed: 'fault',
};

/** What an outcome is taken to come from where no cause was kept, as in runs of earlier versions. */
export function usualCause(outcome: Outcome | null): Cause {
  return USUAL[outcome ?? 'open'];
}

/** Why a run ended as it did, as far as the run itself says; null of a failed one of an earlier version, which kept no cause. */
export function keptCause(run: {
  outcome: Outcome | null;
  options: { cause?: Cause; approved?: boolean };
  rows_sha: string | null;
}): Cause | null {
  const { outcome, rows_sha } = run;
  const { cause, approved } = run.options;
  if (outcome === null) return approved === true ? 'approved' : 'at-work';
  if (cause !== undefined) return cause;
  // Only a newer delivery ends a run that has read its file as `nothing`.
  if (outcome === 'nothing' && rows_sha !== null) return 'superseded';
  return outcome === 'failed' ? null : usualCause(outcome);
}

/** Steps with the places they speak of filled in. */
export function fill(steps: readonly string[], places: { run: string; feed: string; login: string }): string[] {
  return steps.map((step) => step.replaceAll(/\{(run|feed|login)\}/g, (_, name: keyof typeof places) => places[name]));
}
