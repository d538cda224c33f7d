import type { Context } from '../../../context.ts';
import { OfferlineError } from '../../../errors.ts';
import { recordDecision } from '../../../ledger/alerts/audit.ts';
import { findRequest, heldLater, listRequests, NOBODY } from '../../../ledger/alerts/requests.ts';
import type { Db } from '../../../ledger/ledger.ts';
import { findRun } from '../../../ledger/runs/runs.ts';
import type { RequestRow, RunRow } from '../../../ledger/schema/schema.ts';
import { lastVerified } from '../../../ledger/uploads/accepted-uploads.ts';
import { approvableRun } from '../review.ts';
import { chosenTarget } from '../rollback-targets.ts';
import { end, subjectOf } from './request.ts';

/** Why a request is over that nobody decided. */
type Over = { how: 'expired' | 'overtaken'; reason: string };

/**
 * Ends the requests to which nobody agreed in time, and those that are not possible any more: their run was decided, a newer delivery
 * came, or something else is live. What they were about stays as it is.
 */
export async function settleRequests(ctx: Context): Promise<void> {
  for (const waiting of await listRequests(ctx.ledger.db)) {
    if ((await whyOver(waiting, ctx.ledger.db, ctx)) === null) continue;
    await ctx.ledger.transaction(async (trx) => {
      const row = await findRequest(trx, waiting.id);
      if (row === undefined || row.ended_at !== null) return;
      const over = await whyOver(row, trx, ctx);
      if (over === null) return;
      const at = ctx.clock.now();
      await end(trx, row, { at, by: null, ...over });
      const nobody = { who: 'offerline', via: null, origin: null };
      await recordDecision(trx, { at, action: 'end-request', subject: subjectOf(row), reason: over.reason, ...nobody });
    });
  }
}

async function whyOver(row: RequestRow, db: Db, ctx: Context): Promise<Over | null> {
  const overtaken = row.run === null ? await rollbackOver(row, db) : await approvalOver(row.run, db, ctx);
  if (overtaken !== null) return { how: 'overtaken', reason: overtaken };
  return ctx.clock.now() < row.ends_at ? null : { how: 'expired', reason: NOBODY };
}

async function approvalOver(id: string, db: Db, { config }: Context): Promise<string | null> {
  const run = await findRun(db, id);
  if (run?.outcome !== 'held') return `run ${id} is not held any more`;
  const newer = await heldLater(db, run);
  if (newer !== undefined) return `a newer delivery came with run ${newer}`;
  return (await isPossible(approvableRun(db, id, config))) ? null : `run ${id} cannot be approved any more`;
}

async function rollbackOver({ login, upload, live }: RequestRow, db: Db): Promise<string | null> {
  if ((await lastVerified(db, login))?.upload.id !== live) return `something else of ${login} is live by now`;
  const target = await isPossible(chosenTarget(login, upload ?? undefined, db));
  return target !== null && target.dataset.pruned_at === null
    ? null
    : `upload ${upload} cannot be gone back to any more`;
}

/** What is possible; null where it is refused. */
async function isPossible<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OfferlineError && ['conflict', 'config', 'not-found'].includes(error.code)) return null;
    throw error;
  }
}

/** Fails with `conflict` when a newer delivery of the run's feed is held: that one is decided first. */
export async function assertNewestHeld(trx: Db, run: RunRow): Promise<void> {
  const newer = await heldLater(trx, run);
  if (newer === undefined) return;
  throw new OfferlineError(
    'conflict',
    `Run ${run.id} is older than run ${newer} of ${run.feed}, which is held; decide about that one first.`,
  );
}
