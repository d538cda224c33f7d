import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { feedState } from '../../ledger/runs/feeds.ts';
import type { Db } from '../../ledger/ledger.ts';
import { storeReason } from '../../wording/reasons/reason.ts';
import { addEvent, decideRun, getRun, updateRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { RunOptions } from '../../ledger/schema/json-columns.ts';
import { makeCandidate } from '../feeds/candidate.ts';
import { noteApproved } from '../alerts/run-incidents.ts';

/** Who decided and why; both are kept for ever. */
export type Decision = { who: string; reason: string };

/**
 * Releases a held run: its rows become the candidate, and no guard looks at them again. Fails with `conflict` when the run
 * is not held, when nothing of its file was read, or when a newer delivery of the feed is live or waiting.
 */
export async function approveRun(id: string, decision: Decision, ctx: Context): Promise<void> {
  await ctx.ledger.transaction(async (trx) => {
    const run = await heldRun(trx, id);
    if (run.rows_sha === null) {
      const how = `Set feeds.${run.feed}.dialect, then run \`offerline rerun ${id} --from validate\``;
      throw new OfferlineError(
        'conflict',
        `Run ${id} has no rows to upload: ${run.reason?.replace(/\.$/, '')}. ${how}.`,
      );
    }
    await assertNewest(trx, run);
    const options: RunOptions = {
      ...run.options,
      approved: true,
      wait: true,
      approvedAt: ctx.clock.now(),
    };
    await updateRun(trx, id, {
      outcome: null,
      amended: 'held',
      reason: null,
      ...storeReason(null),
      options,
    });
    await record(trx, run, 'approve', decision, ctx);
    await noteApproved(trx, run, decision);
    await makeCandidate(trx, run, ctx);
  });
}

/** Drops a held run for good; the feed's contribution stays live. Fails with `conflict` when the run is not held. */
export async function rejectRun(id: string, decision: Decision, ctx: Context): Promise<void> {
  await ctx.ledger.transaction(async (trx) => {
    const run = await heldRun(trx, id);
    await record(trx, run, 'reject', decision, ctx);
    const reason = { code: 'rejected', ...decision } as const;
    await decideRun(trx, id, { outcome: 'rejected', cause: 'turned-down', reason, now: ctx.clock.now() });
  });
}

async function heldRun(trx: Db, id: string): Promise<RunRow> {
  const run = await getRun(trx, id);
  if (run.outcome === 'held') return run;
  const now = run.outcome === null ? `has no outcome yet (it is at the stage ${run.stage})` : `is ${run.outcome}`;
  throw new OfferlineError(
    'conflict',
    `Run ${id} is not held: it ${now}. \`offerline runs --outcome held\` lists those that are.`,
  );
}

async function assertNewest(trx: Db, run: RunRow): Promise<void> {
  const { candidate, contribution } = await feedState(trx, run.feed, run.login);
  for (const other of [candidate, contribution]) {
    if (other === null || other === run.id) continue;
    const newer = await getRun(trx, other);
    if (newer.created_at <= run.created_at) continue;
    const where = other === candidate ? 'waits to be uploaded' : 'is live';
    throw new OfferlineError('conflict', `Run ${run.id} is older than run ${other} of ${run.feed}, which ${where}.`);
  }
}

async function record(
  trx: Db,
  run: RunRow,
  action: 'approve' | 'reject',
  decision: Decision,
  ctx: Context,
): Promise<void> {
  const at = ctx.clock.now();
  await recordDecision(trx, { at, action, subject: run.id, ...decision });
  const did = action === 'approve' ? 'approved' : 'rejected';
  await addEvent(trx, run.id, { at, stage: 'compose', message: `${did} by ${decision.who}: ${decision.reason}` });
}
