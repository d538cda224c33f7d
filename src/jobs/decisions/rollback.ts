import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { keptFeeds, releaseDeparting } from '../../ledger/uploads/departures.ts';
import { clearCandidate, listFeeds, updateFeed } from '../../ledger/runs/feeds.ts';
import { endFreezes, freezeFeed } from '../../ledger/runs/freezes.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import type { Db } from '../../ledger/ledger.ts';
import { decideRun, getRun } from '../../ledger/runs/runs.ts';
import type { IntentRow } from '../../ledger/schema/schema.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { createRollback, openIntent } from '../../ledger/uploads/intents.ts';
import type { Pausable } from '../../ledger/runs/pauses.ts';
import { pausable } from './pause.ts';
import type { Also, Decision } from './review.ts';
import { withLeaseSoon } from '../logins/with-lease.ts';
import { targetOf } from './rollback-targets.ts';

/**
 * Decides to make an earlier good dataset of a login live again, by a new upload of the archived bytes, and freezes the
 * login's feeds so that the next delivery does not undo it. Without `to` it goes one further back than what is live, again and
 * again. Fails with `conflict` while an upload is open and when there is nothing to go back to.
 */
export async function rollback(
  login: string,
  to: string | undefined,
  decision: Decision,
  ctx: Context,
  also?: Also,
): Promise<{ intent: IntentRow; target: AcceptedUpload }> {
  return withLeaseSoon(`login-${login}`, ctx, async (lease) => {
    await assertNoneOpen(ctx.ledger.db, login);
    const target = await targetOf(login, to, ctx);
    const now = ctx.clock.now();
    const intent = await withFencedTransaction(ctx.ledger, lease, async (trx) => {
      await also?.(trx);
      await recordDecision(trx, { at: now, action: 'rollback', subject: `login ${login}`, ...decision });
      await freezeAll(trx, login, target, decision, ctx);
      return createRollback(trx, target, 'rollback', now);
    });
    return { intent, target };
  });
}

/** Fails with `conflict` while an upload of a login is open. */
export async function assertNoneOpen(db: Db, login: string): Promise<void> {
  if ((await openIntent(db, login)) === undefined) return;
  const advice = 'wait for its end (`offerline logins`), or settle it with `offerline resolve`';
  throw new OfferlineError('conflict', `An upload of ${login} is open; ${advice}.`);
}

/**
 * Ends the freeze of a feed or of a login's feeds, or lets a feed leave that is no longer configured; gives the feeds. Fails
 * with `conflict` when nothing is frozen.
 */
export async function release(what: Pausable, decision: Decision, ctx: Context): Promise<string[]> {
  return ctx.ledger.transaction(async (trx) => {
    const at = ctx.clock.now();
    const text = `released by ${decision.who}: ${decision.reason}`;
    const departing = what.kind === 'feed' ? await releaseDeparting(trx, what.name, at) : [];
    const feeds = [...new Set([...(await endFreezes(trx, what, { text, now: at })), ...departing])];
    if (feeds.length === 0) throw new OfferlineError('conflict', notFrozen(what));
    await recordDecision(trx, { at, action: 'release', subject: `${what.kind} ${what.name}`, ...decision });
    return feeds;
  });
}

/** What a name means for `release`: as for `pause`, or a feed that left the configuration and is kept in a dataset. */
export async function releasable(text: string, ctx: Context): Promise<Pausable> {
  const name = text.replace(/^feed:/, '');
  const kept = await keptFeeds(ctx.ledger.db);
  return kept.includes(name) && !(name in ctx.config.feeds) && !(name in ctx.config.logins)
    ? { kind: 'feed', name }
    : pausable(text, ctx);
}

async function freezeAll(
  trx: Db,
  login: string,
  { dataset }: AcceptedUpload,
  { who, reason }: Decision,
  ctx: Context,
): Promise<void> {
  const at = ctx.clock.now();
  const known = (await listFeeds(trx, login)).map(({ feed }) => feed);
  const configured = Object.keys(ctx.config.feeds).filter((feed) => ctx.config.feeds[feed]?.login === login);
  for (const feed of new Set([...known, ...configured])) await freezeFeed(trx, { feed, login, at, who, reason });
  for (const { feed, candidate } of await listFeeds(trx, login)) {
    // What is delivered after it is put upon what it makes live.
    await updateFeed(trx, feed, { head: dataset.parts.find((part) => part.feed === feed)?.run ?? null });
    if (candidate === null) continue;
    const run = await getRun(trx, candidate);
    await clearCandidate(trx, run);
    await decideRun(trx, run.id, {
      outcome: 'held',
      cause: 'frozen',
      reason: { code: 'feed-frozen', at, who, reason },
      now: at,
    });
  }
}

function notFrozen({ kind, name }: Pausable): string {
  return kind === 'feed' ? `The feed ${name} is not frozen.` : `No feed of the login ${name} is frozen.`;
}
