import type { RunRow } from '../../../ledger/schema/schema.ts';
import { findRows, type Found } from '../../../report/html.ts';
import type { ReportInput } from '../../../report/input.ts';

/** So many runs are remembered: what was found in a file does not change, and reading it again takes long where it is much. */
const MOST = 50;
const known = new Map<string, Promise<Found>>();

/** The causes and first rows of a run, read once. */
export function foundIn(run: RunRow, input: ReportInput): Promise<Found> {
  const key = JSON.stringify([
    run.id,
    run.issues_sha,
    run.rejections_sha,
    run.outcome,
    input.answer.now,
    input.language.name,
    input.demand.asOf,
  ]);
  const found = known.get(key) ?? findRows(input);
  known.delete(key);
  known.set(key, found);
  found.catch(() => known.delete(key));
  if (known.size > MOST) known.delete(known.keys().next().value ?? key);
  return found;
}
