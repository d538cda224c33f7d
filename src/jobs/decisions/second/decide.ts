import type { Context } from '../../../context.ts';
import { OfferlineError } from '../../../errors.ts';
import { recordDecision } from '../../../ledger/alerts/audit.ts';
import { findRequest, waitingRequest } from '../../../ledger/alerts/requests.ts';
import { knownFeed } from '../../../ledger/runs/feeds.ts';
import { lockRun } from '../../../ledger/runs/runs.ts';
import type { IntentRow, RequestRow } from '../../../ledger/schema/schema.ts';
import { lastVerified, type AcceptedUpload } from '../../../ledger/uploads/accepted-uploads.ts';
import { approvableRun, approveRun, type Also } from '../review.ts';
import { assertNoneOpen, rollback } from '../rollback.ts';
import { targetOf } from '../rollback-targets.ts';
import { approvalNeedsSecond, rollbackNeedsSecond } from './needs.ts';
import { askerOf, signed, type DecisionOf } from './person.ts';
import { agreed, ask, assertSecond, end, isAsker, isOver, subjectOf, waits } from './request.ts';
import { assertNewestHeld, assertStillWaits, settleRequests } from './settle.ts';

/**
 * Releases a held run as `approveRun` does, where one person is enough. Else the first who says so asks, and gives the request; a second
 * person who says the same agrees. Fails as `approveRun` does, with `conflict` for the one who asked, and while a newer delivery is held.
 */
export async function approveOrAsk(id: string, decision: DecisionOf, ctx: Context): Promise<RequestRow | null> {
  await settleRequests(ctx);
  const { db } = ctx.ledger;
  const run = await approvableRun(db, id, ctx.config);
  if (!(await approvalNeedsSecond(run, ctx))) {
    await approveRun(id, signed(decision), ctx);
    await settleRequests(ctx);
    return null;
  }
  const { feed, login } = run;
  const scope = `feed ${feed}`;
  const waiting = await waitingRequest(db, scope);
  if (waiting?.run === id) {
    await agree(waiting.id, decision, ctx);
    return null;
  }
  const now = await ctx.ledger.now();
  return ctx.ledger.transaction(async (trx) => {
    await lockRun(trx, id);
    const held = await approvableRun(trx, id, ctx.config);
    await assertNewestHeld(trx, held, ctx);
    const { contribution: live } = await knownFeed(trx, feed, login);
    const { rows_sha } = held;
    const wanted = { action: 'approve', scope, login, feed, run: id, upload: null, live, rows_sha } as const;
    return ask(trx, wanted, decision, now);
  });
}

/** What became of the wish to go back: it was asked for, or decided. */
type RolledBack = { asked: RequestRow } | { asked: null; intent: IntentRow; target: AcceptedUpload };

/**
 * Makes an earlier good dataset live again as `rollback` does, where one person is enough. Else the first who says so asks, and a second
 * person who says the same agrees. Fails as `rollback` does, with `conflict` for the one who asked, and when another target was asked for.
 */
export async function rollBackOrAsk(
  login: string,
  to: string | undefined,
  decision: DecisionOf,
  ctx: Context,
): Promise<RolledBack> {
  if (!rollbackNeedsSecond(login, ctx.config))
    return { asked: null, ...(await rollback(login, to, signed(decision), ctx)) };
  await settleRequests(ctx);
  const { db } = ctx.ledger;
  await assertNoneOpen(db, login);
  const target = await targetOf(login, to, ctx);
  const scope = `login ${login}`;
  const waiting = await waitingRequest(db, scope);
  if (waiting !== undefined) {
    if (waiting.upload !== target.upload.id) throw waits(waiting);
    const { intent } = await agree(waiting.id, decision, ctx);
    return { asked: null, intent: intent!, target };
  }
  const live = (await lastVerified(db, login))?.upload.id ?? null;
  const upload = target.upload.id;
  const wanted = { action: 'rollback', scope, login, feed: null, run: null, upload, live, rows_sha: null } as const;
  const now = await ctx.ledger.now();
  return { asked: await ctx.ledger.transaction((trx) => ask(trx, wanted, decision, now)) };
}

/** What was carried out because a second person agreed; `intent`: that of a rollback. */
type Agreed = { request: RequestRow; intent: IntentRow | null };

/**
 * Agrees to what somebody else asked for, and has it carried out, once. Fails with `not-found` for a request that is not there, with
 * `conflict` for the one who asked and when it has ended, and as `approveRun` and `rollback` do.
 */
export async function agree(id: string, decision: DecisionOf, ctx: Context): Promise<Agreed> {
  await settleRequests(ctx);
  const request = await waitingOf(id, ctx);
  await assertSecond(request, decision, ctx);
  const both = signed(agreed(request, decision));
  const { known_as: by } = askerOf(decision);
  const now = await ctx.ledger.now();
  const also: Also = async (trx) => {
    await assertStillWaits(trx, request, now, ctx);
    await end(trx, request, { at: now, how: 'agreed', by, reason: decision.reason });
  };
  if (request.run === null) {
    const { intent } = await rollback(request.login, request.upload ?? undefined, both, ctx, also);
    return { request, intent };
  }
  await approveRun(request.run, both, ctx, also);
  return { request, intent: null };
}

/** Ends a request: whoever asked withdraws it, anybody else declines it. Fails as `agree` does, but not for the one who asked. */
export async function decline(id: string, decision: DecisionOf, ctx: Context): Promise<RequestRow> {
  await settleRequests(ctx);
  const request = await waitingOf(id, ctx);
  const isOwn = await isAsker(request, decision, ctx);
  const at = await ctx.ledger.now();
  await ctx.ledger.transaction(async (trx) => {
    const { known_as: by } = askerOf(decision);
    await end(trx, request, { at, how: isOwn ? 'withdrawn' : 'declined', by, reason: decision.reason });
    const action = isOwn ? 'withdraw' : 'decline';
    await recordDecision(trx, { at, action, subject: subjectOf(request), ...signed(decision) });
  });
  return (await findRequest(ctx.ledger.db, id)) ?? request;
}

async function waitingOf(id: string, { ledger }: Context): Promise<RequestRow> {
  const row = await findRequest(ledger.db, id);
  if (row === undefined)
    throw new OfferlineError('not-found', `There is no request ${id}; \`offerline requests\` lists those that wait.`);
  if (row.ended_at !== null) throw isOver(row);
  return row;
}
