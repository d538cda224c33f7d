import { getRun } from '../ledger/runs/runs.ts';
import type { RunRow } from '../ledger/schema/schema.ts';
import { assertSees, type Visit } from './visit.ts';

/** A run by its id, when the visitor sees its feed; without one the run of the address. */
export async function namedRun(visit: Visit, id = visit.params['run'] ?? ''): Promise<RunRow> {
  const run = await getRun(visit.ctx.ledger.db, id);
  assertSees(run.feed, visit, `run ${run.id}`);
  return run;
}

/** The feed of the address, when the visitor sees it; it need not be in the configuration. */
export function namedFeed(visit: Visit): string {
  const feed = visit.params['feed'] ?? '';
  assertSees(feed, visit, `feed ${feed}`);
  return feed;
}
