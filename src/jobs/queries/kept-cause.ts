import type { RunRow } from '../../ledger/schema/schema.ts';
import type { Cause } from '../../model.ts';
import { usualCause } from '../../wording/causes.ts';

/** Why a run ended as it did, as far as the run itself says; null of a failed one of an earlier version, which kept no cause. */
export function keptCause({
  outcome,
  options,
  rows_sha,
}: Pick<RunRow, 'outcome' | 'options' | 'rows_sha'>): Cause | null {
  const { cause, approved } = options;
  if (outcome === null) return approved === true ? 'approved' : 'at-work';
  if (cause !== undefined) return cause;
  // Only a newer delivery ends a run that has read its file as `nothing`.
  if (outcome === 'nothing' && rows_sha !== null) return 'superseded';
  return outcome === 'failed' ? null : usualCause(outcome);
}
