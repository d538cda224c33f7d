import type { Context } from '../../context.ts';
import { isDue } from '../../clock.ts';
import { openIncident } from '../../ledger/alerts/incidents.ts';
import { openIntent } from '../../ledger/uploads/intents.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { watchOf } from '../../ledger/uploads/watches.ts';
import type { RowCounts } from '../../model.ts';
import { counted, grouped } from '../../wording/words.ts';
import { standingDenial } from '../logins/denial.ts';
import type { LostBefore } from '../feeds/feed-change.ts';
import { liveFacts } from '../logins/live-facts.ts';
import { doubtIn, liveNow } from '../logins/live-now.ts';
import { watchLogin } from '../watch/watch.ts';
import { withLease } from '../logins/with-lease.ts';

/**
 * Why the bytes that were proved last need not be uploaded again, with what is live of them by now. Null when something else is
 * live, or may be for good: then they are worth sending again. A look at what is live that is due is taken first.
 */
export async function unchangedReason(
  { feed, login }: Pick<RunRow, 'feed' | 'login'>,
  ctx: Context,
  signal: AbortSignal,
): Promise<string | null> {
  await lookWhenDue(login, ctx, signal);
  const db = ctx.ledger.db;
  const facts = await liveFacts(db, login);
  if (doubtIn(facts)?.elsewhere === true) return null;
  const { doubt } = liveNow(feed, facts);
  const { silent_since } = await watchOf(db, login);
  const unseen =
    silent_since === null ? '' : `; what is live could not be looked at since ${new Date(silent_since).toISOString()}`;
  if (doubt !== null) return `the same file; what is live of it is not certain now: ${doubt}${unseen}`;
  const account = facts.proved?.feeds.get(feed) ?? null;
  const missing =
    account === null ? null : await missingRows({ feed, login }, account, facts.proved?.offerId ?? null, db);
  return `${missing === null ? 'the same bytes, read with the same settings, are live already' : `the same file; ${missing}`}${unseen}`;
}

/** Which rows of a feed's file are not live, in words: `20 of its 40 rows have been rejected by the service since upload 17`; null when none. */
export async function missingRows(
  { feed, login }: { feed: string; login: string },
  account: RowCounts,
  offerId: string | null,
  db: Db,
): Promise<string | null> {
  const { read, rejectedRemotely, outranked, unexplained } = account;
  const open = await openIncident(db, { kind: 'lost-rows', login, feed });
  const since = open === undefined ? offerId : (open.numbers as LostBefore).offerId;
  const losses = [
    rejectedRemotely > 0 && { rows: rejectedRemotely, how: `rejected by the service since upload ${since}` },
    outranked > 0 && { rows: outranked, how: 'outranked by another feed' },
    unexplained > 0 && { rows: unexplained, how: 'unexplained' },
  ].filter((loss) => loss !== false);
  const [first, ...more] = losses;
  if (first === undefined) return null;
  const have = first.rows === 1 ? 'has been' : 'have been';
  const rest = more.map(({ rows, how }) => `, ${grouped(rows)} ${how}`).join('');
  return `${grouped(first.rows)} of its ${counted(read, 'row')} ${have} ${first.how}${rest}`;
}

/** Takes a look that is due, or waits for whoever works on the login to take it. While an upload is open there is none. */
async function lookWhenDue(login: string, ctx: Context, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if (!isDue(await watchOf(ctx.ledger.db, login), ctx.clock.now())) return;
    const looked = await withLease(`login-${login}`, ctx, async (lease) => {
      const isBusy = (await openIntent(ctx.ledger.db, login)) !== undefined;
      if (isBusy || (await standingDenial(login, ctx)) !== null) return 'done' as const;
      await watchLogin({ login, lease, signal, sending: false }, ctx);
      return 'done' as const;
    });
    if (looked === 'done' || (await openIntent(ctx.ledger.db, login)) !== undefined) return;
    await ctx.clock.wait(looked.waitUntil - ctx.clock.now(), signal);
  }
}
