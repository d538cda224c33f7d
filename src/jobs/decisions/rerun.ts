import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { lockFeed } from '../../ledger/runs/feeds.ts';
import { openRerunOf } from '../../ledger/runs/reruns.ts';
import { createRun, getRun, updateRun } from '../../ledger/runs/runs.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { moment } from '../../wording/words.ts';
import { usable } from '../archive/usable.ts';
import { assertColumnsStand } from '../read/revoked-columns.ts';
import type { RerunFrom } from './rerun-stages.ts';
import { assertConfigured, type Decider } from './review.ts';

/**
 * `by`: who asks for it, for the audit; null in a rehearsal, where nobody decides. `once`: not while an open run does it already,
 * also of people who ask at the same moment.
 */
type Rerun = { from: RerunFrom; wait: boolean; by: Decider | null; once?: true };

/**
 * Records a run that does an earlier one's work again from a stage on, and gives its id. Only `report` works on the
 * earlier run itself: its outcome stands, its report is written again. Fails with `conflict` while the run is open, when the
 * bytes that the stage needs are not in the archive, when rows were read with columns that were taken back since, and with `once`
 * while it is being run again.
 */
export async function rerun(id: string, options: Rerun, ctx: Context): Promise<string> {
  const run = await closedRun(ctx.ledger.db, id);
  if (options.from === 'report') {
    assertReportable(run);
    await ctx.ledger.transaction(async (trx) => {
      await updateRun(trx, id, { stage: 'report', tries: 0 });
      await record(trx, id, 'from report', options.by, ctx);
    });
    return id;
  }
  const settings = assertConfigured(run, ctx.config);
  if (options.from === 'validate') await assertArchived(run, run.delivery_sha, 'delivery', ctx);
  if (options.from === 'upload') {
    await assertArchived(run, run.rows_sha, 'accepted rows', ctx);
    await assertColumnsStand(ctx.ledger.db, run);
  }
  return ctx.ledger.transaction(async (trx) => {
    if (options.once === true) await assertNotAgain(trx, run, settings.login);
    const again = await createRun(trx, {
      feed: run.feed,
      login: settings.login,
      cause: 'rerun',
      // A person asked for it: that the same bytes or the same dataset are live already is no reason to stop.
      options: { of: id, from: options.from, force: true, ...(options.wait ? { wait: true } : {}) },
      sandbox: ctx.sandbox,
      now: ctx.clock.now(),
    });
    await record(trx, id, `from ${options.from}, as run ${again}`, options.by, ctx);
    return again;
  });
}

/** Fails with `conflict` while an open run does the work of this one again; nobody else begins one until the transaction ends. */
async function assertNotAgain(trx: Db, { id, feed }: RunRow, login: string): Promise<void> {
  await lockFeed(trx, feed, login);
  const open = await openRerunOf(trx, id);
  if (open === undefined) return;
  throw new OfferlineError('conflict', `Run ${id} is being run again already, as run ${open}. Wait for its outcome.`);
}

async function record(trx: Db, subject: string, reason: string, by: Decider | null, ctx: Context): Promise<void> {
  if (by !== null) await recordDecision(trx, { at: ctx.clock.now(), action: 'rerun', subject, reason, ...by });
}

/** A run that has ended; fails with `conflict` while it is open. */
export async function closedRun(db: Db, id: string): Promise<RunRow> {
  const run = await getRun(db, id);
  if (run.outcome !== null) return run;
  throw new OfferlineError(
    'conflict',
    `Run ${id} has no outcome yet (it is at the stage ${run.stage}). Wait until it has finished.`,
  );
}

/** Fails with `conflict` when the archive no longer has a file of a run. */
export async function assertArchived(
  run: RunRow,
  sha: RunRow['delivery_sha'],
  what: string,
  ctx: Context,
): Promise<void> {
  if (sha !== null && (await usable(sha, ctx))) return;
  const pruned =
    run.bytes_pruned_at === null || sha === null ? null : prunedText(what, run.bytes_pruned_at, 'deliveries');
  throw new OfferlineError(
    'conflict',
    `Run ${run.id} has no archived ${what}${pruned ?? ''}; re-run it with --from pull.`,
  );
}

/** Why bytes are gone: what pruned them, and when. */
function prunedText(what: string, at: number, setting: 'deliveries' | 'reports'): string {
  return ` any more: the ${what} ${what.endsWith('s') ? 'were' : 'was'} pruned on ${moment(at)} (keep.${setting})`;
}

/** The rows of a report that was pruned are gone: written again it would be another one. */
export function assertReportable({ id, reports_pruned_at }: RunRow): void {
  if (reports_pruned_at === null) return;
  const pruned = prunedText('reports', reports_pruned_at, 'reports');
  throw new OfferlineError(
    'conflict',
    `Run ${id} has no reports${pruned}; \`offerline show ${id}\` still gives its account.`,
  );
}
