import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import { createRun, getRun, updateRun } from '../ledger/runs.ts';
import type { RunRow } from '../ledger/schema.ts';

/** The stages that a re-run can start from. */
export type RerunFrom = 'pull' | 'validate' | 'upload' | 'report';

/**
 * Records a run that does an earlier one's work again from a stage on, and gives its id. Only `report` works on the
 * earlier run itself: its outcome stands, its report is written again. Fails with `conflict` while the run is open, and
 * when the bytes that the stage needs are not in the archive.
 */
export async function rerun(id: string, options: { from: RerunFrom; wait: boolean }, ctx: Context): Promise<string> {
  const run = await getRun(ctx.ledger.db, id);
  if (run.outcome === null) {
    throw new OfferlineError(
      'conflict',
      `Run ${id} has no outcome yet (it stands at ${run.stage}); nothing to repeat.`,
    );
  }
  if (options.from === 'report') {
    await updateRun(ctx.ledger.db, id, { stage: 'report', tries: 0 });
    return id;
  }
  const settings = ctx.config.feeds[run.feed];
  if (settings === undefined) {
    throw new OfferlineError('config', `The feed ${run.feed} of run ${id} is no longer in the configuration.`);
  }
  if (options.from === 'validate') await assertArchived(id, run.delivery_sha, 'delivery', ctx);
  if (options.from === 'upload') await assertArchived(id, run.rows_sha, 'accepted rows', ctx);
  return createRun(ctx.ledger.db, {
    feed: run.feed,
    login: settings.login,
    cause: 'rerun',
    // A person asked for it: that the same bytes or the same dataset are live already is no reason to stop.
    options: { of: id, from: options.from, force: true, ...(options.wait ? { wait: true } : {}) },
    sandbox: ctx.sandbox,
    now: ctx.clock.now(),
  });
}

async function assertArchived(id: string, sha: RunRow['delivery_sha'], what: string, ctx: Context): Promise<void> {
  if (sha !== null && (await ctx.archive.has(sha))) return;
  throw new OfferlineError('conflict', `Run ${id} has no archived ${what}; re-run it with --from pull.`);
}
