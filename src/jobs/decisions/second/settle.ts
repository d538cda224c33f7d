import type { Context } from '../../../context.ts';
import { OfferlineError } from '../../../errors.ts';
import { own } from '../../../io/dictionary.ts';
import { recordDecision } from '../../../ledger/alerts/audit.ts';
import { findRequest, heldLater, listRequests, NOBODY } from '../../../ledger/alerts/requests.ts';
import type { Db } from '../../../ledger/ledger.ts';
import { knownFeed } from '../../../ledger/runs/feeds.ts';
import { findRun } from '../../../ledger/runs/runs.ts';
import type { RequestRow, RunRow } from '../../../ledger/schema/schema.ts';
import { lastVerified } from '../../../ledger/uploads/accepted-uploads.ts';
import { bringsChanges } from '../../guards/change-order.ts';
import { approvableRun } from '../review.ts';
import { chosenTarget } from '../rollback-targets.ts';
import { whyMayNot } from './deciders.ts';
import { endOnce, isOver, subjectOf } from './request.ts';

/** Why a request is over that nobody decided. */
type Over = { how: 'expired' | 'overtaken'; reason: string };

/**
 * Ends the requests to which nobody agreed in time, and those that are not possible any more: their run was decided, a newer delivery
 * came, something else is live, or whoever asked may not decide any more. What they were about stays as it is.
 */
export async function settleRequests(ctx: Context): Promise<void> {
  const waits = await listRequests(ctx.ledger.db);
  if (waits.length === 0) return;
  const at = await ctx.ledger.now();
  for (const waiting of waits) {
    if ((await whyOver(waiting, ctx.ledger.db, at, ctx)) === null) continue;
    await ctx.ledger.transaction(async (trx) => {
      const row = await findRequest(trx, waiting.id);
      if (row === undefined || row.ended_at !== null) return;
      const over = await whyOver(row, trx, at, ctx);
      if (over === null) return;
      // Of two processes that end it at once, the other one may be first.
      if (!(await endOnce(trx, row, { at, by: null, ...over }))) return;
      const nobody = { who: 'offerline', via: null, origin: null };
      await recordDecision(trx, { at, action: 'end-request', subject: subjectOf(row), reason: over.reason, ...nobody });
    });
  }
}

/** Fails with `conflict` when a request is not possible any more, or its time is over: what it is about may change until somebody agrees. */
export async function assertStillWaits(trx: Db, row: RequestRow, now: number, ctx: Context): Promise<void> {
  const over = await whyOver(row, trx, now, ctx);
  if (over !== null) throw isOver({ id: row.id, ended_how: over.how, ended_by: null, ended_reason: over.reason });
}

async function whyOver(row: RequestRow, db: Db, now: number, ctx: Context): Promise<Over | null> {
  const overtaken =
    (await whyMayNot(row, db, now, ctx)) ??
    (row.run === null ? await rollbackOver(row, db, ctx) : await approvalOver(row.run, row, db, ctx));
  if (overtaken !== null) return { how: 'overtaken', reason: overtaken };
  return now < row.ends_at ? null : { how: 'expired', reason: NOBODY };
}

async function approvalOver(id: string, { rows_sha, live }: RequestRow, db: Db, ctx: Context): Promise<string | null> {
  const { config } = ctx;
  const run = await findRun(db, id);
  if (run?.outcome !== 'held') return `run ${id} is not held any more`;
  if (run.rows_sha !== rows_sha) return `the file of run ${id} was read again`;
  const { contribution } = await knownFeed(db, run.feed, run.login);
  if (contribution !== live) return `something else of ${run.feed} is live by now`;
  const newer = bringsChanges(run, ctx) ? undefined : await heldLater(db, run);
  if (newer !== undefined) return `a newer delivery came with run ${newer}`;
  return (await isPossible(approvableRun(db, id, config))) ? null : `run ${id} cannot be approved any more`;
}

async function rollbackOver(
  { login, upload, live }: RequestRow,
  db: Db,
  { config }: Pick<Context, 'config'>,
): Promise<string | null> {
  if (own(config.logins, login) === undefined) return `upload ${upload} cannot be gone back to any more`;
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

/** Fails with `conflict` when a newer delivery of the run's feed is held: that one is decided first. Changes are decided in their order. */
export async function assertNewestHeld(trx: Db, run: RunRow, ctx: Context): Promise<void> {
  const newer = bringsChanges(run, ctx) ? undefined : await heldLater(trx, run);
  if (newer === undefined) return;
  throw new OfferlineError(
    'conflict',
    `Run ${run.id} is older than run ${newer} of ${run.feed}, which is held; decide about that one first.`,
  );
}
