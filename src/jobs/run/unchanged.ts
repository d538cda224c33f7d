import type { Context } from '../../context.ts';
import { isDue } from '../../clock.ts';
import { openIncident } from '../../ledger/alerts/incidents.ts';
import { openIntent } from '../../ledger/uploads/intents.ts';
import type { Db } from '../../ledger/ledger.ts';
import { feedState } from '../../ledger/runs/feeds.ts';
import { addEvent } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { watchOf } from '../../ledger/uploads/watches.ts';
import type { RowCounts } from '../../model.ts';
import type { RunReason } from '../../wording/reasons/run-reasons.ts';
import type { MissingRows } from '../../wording/reasons/run-reasons.ts';
import { standingDenial } from '../logins/denial.ts';
import type { LostBefore } from '../feeds/feed-change.ts';
import { liveFacts } from '../logins/live-facts.ts';
import { doubtIn, liveNow } from '../logins/live-now.ts';
import { changesTaken, type ChangesTaken } from '../feeds/changes-taken.ts';
import { settingsHashOf } from '../read/settings.ts';
import { watchLogin } from '../watch/watch.ts';
import { withLease } from '../logins/with-lease.ts';
import { offersRead } from '../../wording/words.ts';

/**
 * Why a run's bytes are those that its rows would be put in place of, read with the same settings; null when they are others, `uncertain` when it
 * is not sure what is live. Of a feed that takes changes these are the last bytes that were taken: earlier ones may come back.
 */
export async function whyUnchanged(
  run: RunRow,
  ctx: Context,
  signal: AbortSignal,
): Promise<RunReason | 'uncertain' | null> {
  const state = await feedState(ctx.ledger.db, run.feed, run.login);
  const settings = await settingsHashOf(run.feed, ctx);
  const changes = await changesTaken(run.feed, run.login, ctx, run.id);
  if (changes === null) {
    if (state.live_sha !== run.delivery_sha || state.live_settings !== settings) return null;
    return (await unchangedReason(run, ctx, signal)) ?? 'uncertain';
  }
  await noteSameBytes(run, changes, ctx);
  const { lastRun, names } = changes;
  const lastSettings = lastRun?.settings_hash ?? state.live_settings;
  // What failed is tried again with the same bytes.
  if (lastRun?.outcome === 'failed' && state.candidate === null) return null;
  if (lastRun?.delivery_sha !== run.delivery_sha || lastSettings !== settings) return null;
  if (state.candidate === null) return (await unchangedReason(run, ctx, signal)) ?? 'uncertain';
  const [file, other] = [run.delivery_name ?? '', lastRun.delivery_name ?? ''];
  return names.kindOf(file) === 'changes' ? { code: 'same-changes', file, other, run: lastRun.id } : null;
}

/** Says that changes have the bytes of others that came under another name. */
async function noteSameBytes(
  { id, delivery_sha, delivery_name }: RunRow,
  { runs }: ChangesTaken,
  { ledger, clock }: Context,
): Promise<void> {
  const same = runs.findLast((other) => other.delivery_sha === delivery_sha && other.delivery_name !== delivery_name);
  if (same === undefined) return;
  const message = `${delivery_name} has the same bytes as ${same.delivery_name}, which run ${same.id} took`;
  await addEvent(ledger.db, id, { at: clock.now(), stage: 'pull', message });
}

/**
 * Why the bytes that were verified last need not be uploaded again, with what is live of them now. Null when something else is
 * live, or may be for good: then they are worth sending again. A check of what is live that is due comes first.
 */
export async function unchangedReason(
  { feed, login }: Pick<RunRow, 'feed' | 'login'>,
  ctx: Context,
  signal: AbortSignal,
): Promise<RunReason | null> {
  await lookWhenDue(login, ctx, signal);
  const db = ctx.ledger.db;
  const facts = await liveFacts(db, login);
  if (doubtIn(facts)?.elsewhere === true) return null;
  const { doubt: uncertainty } = liveNow(feed, facts);
  const { silent_since } = await watchOf(db, login);
  const unseen = { code: 'same-file', unseenSince: silent_since } as const;
  if (uncertainty !== null) return { ...unseen, missing: null, uncertain: uncertainty };
  const account = facts.proved?.feeds.get(feed) ?? null;
  const missing =
    account === null ? null : await missingRows({ feed, login }, account, facts.proved?.offerId ?? null, db);
  return { ...unseen, missing, uncertain: null };
}

/** Which rows of a feed's file are not live; null when all are. */
export async function missingRows(
  { feed, login }: { feed: string; login: string },
  account: RowCounts,
  offerId: string | null,
  db: Db,
): Promise<MissingRows | null> {
  const { rejectedRemotely, outranked, unexplained } = account;
  const read = offersRead(account);
  const open = await openIncident(db, { kind: 'lost-rows', login, feed });
  const since = open === undefined ? offerId : (open.numbers as LostBefore).offerId;
  return rejectedRemotely + outranked + unexplained === 0
    ? null
    : { read, rejectedRemotely, outranked, unexplained, since };
}

/** Takes a look that is due, or waits until the worker on the login has taken it. None is taken while an upload is open. */
async function lookWhenDue(login: string, ctx: Context, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if (!isDue(await watchOf(ctx.ledger.db, login), ctx.clock.now())) return;
    const looked = await withLease(`login-${login}`, ctx, async (lease) => {
      const isBusy = (await openIntent(ctx.ledger.db, login)) !== undefined;
      if (isBusy || (await standingDenial(login, ctx)) !== null) return 'done' as const;
      await watchLogin({ login, lease, signal }, ctx);
      return 'done' as const;
    });
    if (looked === 'done' || (await openIntent(ctx.ledger.db, login)) !== undefined) return;
    await ctx.clock.wait(looked.waitUntil - ctx.clock.now(), signal);
  }
}
