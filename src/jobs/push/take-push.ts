import type { FeedConfig } from '../../config/schema/schema.ts';
import type { PushSource } from '../../config/schema/sources/push.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { own } from '../../io/dictionary.ts';
import { recordDecision } from '../../ledger/alerts/audit.ts';
import { timeId } from '../../ledger/ids.ts';
import type { Db } from '../../ledger/ledger.ts';
import {
  insertPushed,
  keepKey,
  lastPushed,
  nextPush,
  pushAgain,
  pushedWithKey,
  runToCome,
} from '../../ledger/pushed.ts';
import { endWaitForPush } from '../../ledger/maintenance/fetching.ts';
import { noteDelivery } from '../../ledger/runs/deliveries.ts';
import { lockFeed } from '../../ledger/runs/feeds.ts';
import { pauseOver } from '../../ledger/runs/pauses.ts';
import { createRun, findRun, getRun, updateRun } from '../../ledger/runs/runs.ts';
import type { AuditRow, PushedRow } from '../../ledger/schema/schema.ts';
import { patternIn } from '../../pull/several/wanted.ts';
import { moment } from '../../wording/words.ts';

/** What a sender calls a push: two senders may call theirs the same. */
export type PushKey = { sender: string; text: string };

/** A file that was pushed: its name, made safe, and what its sender calls the push. */
export type Push = {
  feed: string;
  name: string;
  sha256: string;
  bytes: number;
  key: PushKey | null;
  by: Pick<AuditRow, 'who' | 'via' | 'origin'>;
};

/** What became of a push. `again`: the same was pushed before. `wake`: the run waits for somebody to say that there is something new. */
export type TakenPush = { delivery: string; run: string; again: boolean; wake: boolean };

/** A feed to which files may be pushed. */
type PushFeed = FeedConfig & { source: PushSource };

/**
 * Fails where a file of this name cannot be pushed to a feed now: with `not-found` for a feed that is not in the configuration, with `conflict`
 * for one that has a source of another kind or is paused, and with `file-rejected` for a name that no run of it would take. `name` null: it has
 * not come yet.
 */
export async function assertPushable(feed: string, name: string | null, ctx: Pick<Context, 'config' | 'ledger'>) {
  const settings = pushFeed(feed, ctx);
  await assertNotPaused(ctx.ledger.db, feed, settings.login);
  const pattern = patternIn(settings.source);
  if (name === null || pattern.matches(name)) return;
  const advice = `The feed ${feed} takes files that fit ${pattern.text} (feeds.${feed}.source)`;
  throw new OfferlineError('file-rejected', `${name} does not fit. ${advice}; send it under such a name.`);
}

/** The feed of this name; fails as `assertPushable` does where none takes what is pushed to it. */
function pushFeed(feed: string, { config }: Pick<Context, 'config'>): PushFeed {
  const settings = own(config.feeds, feed);
  if (settings === undefined) throw new OfferlineError('not-found', `There is no feed ${feed} in the configuration.`);
  const { source } = settings;
  if (source.type === 'push') return { ...settings, source };
  throw new OfferlineError(
    'conflict',
    `The feed ${feed} takes its files from a source of type ${source.type}; only one with \`source: { type: push }\` takes what is sent to it.`,
  );
}

async function assertNotPaused(db: Db, feed: string, login: string): Promise<void> {
  const paused = await pauseOver(db, feed, login);
  if (paused === undefined) return;
  const { kind, name, at, reason } = paused;
  const advice = 'Send the file again once it goes on';
  throw new OfferlineError(
    'conflict',
    `The ${kind} ${name} has been paused since ${moment(at)}: ${reason}. ${advice}; nothing of it was taken.`,
  );
}

/**
 * Takes a file whose bytes are in the archive as a delivery of a feed, and has a run take it: one transaction, so that there is never one without
 * the other. The same bytes under the same name, or the same key of a sender, are one delivery. Fails as `assertPushable` does, and with
 * `file-rejected` when the sender used the key for another file.
 */
export async function takePush(push: Push, ctx: Context): Promise<TakenPush> {
  const { feed, name, sha256, bytes, key, by } = push;
  const { login } = pushFeed(feed, ctx);
  const now = ctx.clock.now();
  return ctx.ledger.transaction(async (trx) => {
    await assertNotPaused(trx, feed, login);
    await lockFeed(trx, feed, login);
    const before = await takenBefore(push, login, trx);
    if (before !== undefined) {
      if (key !== null && !before.keyed) await keepKey(trx, feed, key, before.pushed.id);
      return repeated(before, { push, login, now }, trx, ctx);
    }
    const { run, wake } = await runFor(feed, login, now, trx, ctx);
    const at = await nextPush(trx, feed, now);
    const delivery = timeId(at);
    await insertPushed(trx, { id: delivery, feed, login, name, sha256, bytes, at, who: by.who, run });
    if (key !== null) await keepKey(trx, feed, key, delivery);
    const reason = `${name}, ${bytes} bytes, for run ${run}`;
    await recordDecision(trx, { at: now, action: 'push', subject: `feed ${feed}`, reason, ...by });
    return { delivery, run, again: false, wake };
  });
}

/** A delivery that was pushed before. `keyed`: it is told by the key of its sender. */
type Before = { pushed: PushedRow; keyed: boolean };

/**
 * The delivery that a push repeats: of the same key, else the newest of the feed when that has this name and these bytes. What came before
 * another file or for another login, or what its run rejected or did not take, is delivered anew: the settings may have changed since.
 */
async function takenBefore({ feed, name, sha256, key }: Push, login: string, trx: Db): Promise<Before | undefined> {
  const pushed = key === null ? undefined : await pushedWithKey(trx, feed, key);
  if (pushed !== undefined) {
    if (pushed.sha256 === sha256 && pushed.name.normalize() === name) return { pushed, keyed: true };
    const other = pushed.sha256 === sha256 ? 'under that name' : 'with other bytes';
    throw new OfferlineError(
      'file-rejected',
      `The Idempotency-Key was used before, for ${pushed.name} ${other}. Give each delivery a key of its own.`,
    );
  }
  const newest = await lastPushed(trx, feed);
  if (newest?.name.normalize() !== name || newest.sha256 !== sha256 || newest.login !== login) return undefined;
  const run = await findRun(trx, newest.run);
  if (run === undefined || run.outcome === 'rejected' || run.outcome === 'nothing') return undefined;
  return { pushed: newest, keyed: false };
}

type Repeating = { push: Push; login: string; now: number };

/**
 * The supplier delivers the same once more; with the same key it is the same request. What failed for no fault of the file is tried again
 * with it.
 */
async function repeated(
  { pushed: { id, run, at }, keyed }: Before,
  { push: { feed, name, sha256 }, login, now }: Repeating,
  trx: Db,
  ctx: Context,
): Promise<TakenPush> {
  if ((await lastPushed(trx, feed))?.id === id) await endWaitForPush(trx, { feed, at });
  if (!keyed) await noteDelivery(trx, { feed, login, name, fingerprint: JSON.stringify([sha256, 'again', now]) }, now);
  const earlier = await findRun(trx, run);
  if (earlier?.outcome !== 'failed') return { delivery: id, run, again: true, wake: false };
  const again = await runFor(feed, login, now, trx, ctx);
  await pushAgain(trx, id, again.run);
  return { delivery: id, again: true, ...again };
}

/** The run that takes what is pushed now: one that has not begun, so that many pushes at once do not make as many runs; else a new one. */
async function runFor(
  feed: string,
  login: string,
  now: number,
  trx: Db,
  { sandbox }: Context,
): Promise<Pick<TakenPush, 'run' | 'wake'>> {
  const open = await runToCome(trx, feed, login);
  if (open === undefined) {
    const run = await createRun(trx, { feed, login, cause: 'push', options: {}, sandbox, now });
    return { run, wake: true };
  }
  const { options } = await getRun(trx, open);
  if (options.waiting === undefined) return { run: open, wake: false };
  // It waits for the rest of its delivery, which this may be.
  await updateRun(trx, open, { options: { ...options, waiting: { ...options.waiting, until: 0 } } });
  return { run: open, wake: true };
}
