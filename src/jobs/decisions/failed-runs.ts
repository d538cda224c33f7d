import type { Context } from '../../context.ts';
import { listRuns } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { RerunFrom } from './rerun-stages.ts';

/** Which failed runs are meant; `since` in epoch milliseconds. */
export type FailedFilter = { since: number; feed?: string; login?: string };

/**
 * The failed runs that are worth running again: of each feed the last run, if it failed. What came after an earlier failure has
 * settled it, or is about to.
 */
export async function failedRuns(filter: FailedFilter, { ledger, config }: Context): Promise<RunRow[]> {
  const last = new Map<string, RunRow>();
  for (const run of await listRuns(ledger.db, filter)) {
    if (Object.hasOwn(config.feeds, run.feed) && !last.has(run.feed)) last.set(run.feed, run);
  }
  return [...last.values()].filter(({ outcome }) => outcome === 'failed');
}

/** The last stage that has what it needs: what was read already is not asked for again. */
export function stageToRepeat(run: RunRow): RerunFrom {
  if (run.rows_sha !== null) return 'upload';
  return run.delivery_sha === null ? 'pull' : 'validate';
}
