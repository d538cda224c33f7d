import type { Db } from '../../../ledger/ledger.ts';
import { findRun } from '../../../ledger/runs/runs.ts';
import type { RunRow } from '../../../ledger/schema/schema.ts';
import type { WrittenFile } from '../../../model.ts';
import { writtenFiles } from '../shown-dialect.ts';

/** The run of the last full list that a run's rows go back to, as far as they are known: itself, unless its delivery was one of changes. */
export async function fullListOf(db: Db, run: RunRow): Promise<RunRow> {
  let found = run;
  while (found.base !== null) {
    const before = await findRun(db, found.base);
    if (before === undefined) break;
    found = before;
  }
  return found;
}

/** How the deliveries are written that the rows of a run come from: its own, and the full list to which they go back. */
export async function writtenBefore(db: Db, run: RunRow | null): Promise<WrittenFile[]> {
  const runs = run === null ? [] : [run, await fullListOf(db, run)];
  return runs.flatMap(({ detection }) => (detection === null ? [] : writtenFiles(detection)));
}
