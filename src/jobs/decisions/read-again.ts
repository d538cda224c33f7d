import { leaveHead } from '../feeds/base.ts';
import { storeReason } from '../../wording/reasons/reason.ts';
import { updateRun } from '../../ledger/runs/runs.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { RunOptions } from '../../ledger/schema/json-values.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';

/** Nothing is left of what the file was read as. */
const UNREAD = {
  counts: null,
  issues: null,
  issues_sha: null,
  rows_sha: null,
  base: null,
  signals: null,
  sample_sha: null,
  columns: null,
  cell_names: null,
  diff: null,
} as const;

/** Makes a run open work again that begins with reading its delivery, with what was decided about it. */
export async function readAgain(trx: Db, run: RunRow, { cause: _cause, from, ...options }: RunOptions): Promise<void> {
  await leaveHead(trx, run);
  // The rows of an earlier run were read otherwise.
  const start = from === undefined ? {} : { from: from === 'upload' ? ('validate' as const) : from };
  await updateRun(trx, run.id, {
    ...UNREAD,
    outcome: null,
    amended: run.outcome,
    reason: null,
    ...storeReason(null),
    options: { ...options, ...start },
    stage: 'read',
    tries: 0,
  });
}
