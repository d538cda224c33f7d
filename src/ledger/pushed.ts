import type { Db } from './ledger.ts';
import { lockRuns } from './runs/starts.ts';
import type { PushedRow } from './schema/schema.ts';

/** Records a file that was pushed. Call it under the lock of its feed. */
export async function insertPushed(db: Db, pushed: PushedRow): Promise<void> {
  await db.insertInto('pushed').values(pushed).execute();
}

/** When a file is pushed that comes after all others of its feed, also by a clock that was set back. */
export async function nextPush(db: Db, feed: string, now: number): Promise<number> {
  const { newest } = await db
    .selectFrom('pushed')
    .select((eb) => eb.fn.max('at').as('newest'))
    .where('feed', '=', feed)
    .executeTakeFirstOrThrow();
  return Math.max(now, (newest ?? 0) + 1);
}

/** What was pushed to a feed under a key of its sender. */
export async function pushedWithKey(db: Db, feed: string, key: string): Promise<PushedRow | undefined> {
  const query = db.selectFrom('pushed').selectAll().where('feed', '=', feed).where('idempotency_key', '=', key);
  return query.executeTakeFirst();
}

/** The newest file of a name that was pushed to a feed. */
export async function newestPushed(db: Db, feed: string, name: string): Promise<PushedRow | undefined> {
  const query = db.selectFrom('pushed').selectAll().where('feed', '=', feed).where('name', '=', name);
  return query.orderBy('at', 'desc').limit(1).executeTakeFirst();
}

/** The newest file that was pushed to a feed, under whichever name. */
export async function lastPushed(db: Db, feed: string): Promise<PushedRow | undefined> {
  const query = db.selectFrom('pushed').selectAll().where('feed', '=', feed);
  return query.orderBy('at', 'desc').limit(1).executeTakeFirst();
}

/** All that was pushed to a feed, in the order in which it came. */
export async function allPushedTo(db: Db, feed: string): Promise<PushedRow[]> {
  return db.selectFrom('pushed').selectAll().where('feed', '=', feed).orderBy('at').execute();
}

/** What was pushed to a feed, of each name the newest file. */
export async function pushedTo(db: Db, feed: string): Promise<PushedRow[]> {
  const newest = db
    .selectFrom('pushed')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('feed', '=', feed)
    .groupBy('name');
  return db.selectFrom('pushed').selectAll().where('feed', '=', feed).where('at', 'in', newest).orderBy('at').execute();
}

/** How many files were pushed to a feed since a time by those whose name begins so. */
export async function countPushed(db: Db, feed: string, { by, since }: { by: string; since: number }): Promise<number> {
  const { count } = await db
    .selectFrom('pushed')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('feed', '=', feed)
    .where('who', 'like', `${by}%`)
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** A pushed file of a feed by its id. */
export async function pushedFile(db: Db, feed: string, id: string): Promise<PushedRow | undefined> {
  return db.selectFrom('pushed').selectAll().where('feed', '=', feed).where('id', '=', id).executeTakeFirst();
}

/** Gives a pushed file another run that takes it. */
export async function pushAgain(db: Db, id: string, run: string): Promise<void> {
  await db.updateTable('pushed').set({ run }).where('id', '=', id).execute();
}

/**
 * The open run of a feed and login that has no file yet and that nobody is at work on, so that it asks its place after what is recorded in this
 * transaction: it cannot begin before that ends. Undefined when there is none. Call it under the lock of the feed.
 */
export async function runToCome(trx: Db, feed: string, login: string): Promise<string | undefined> {
  const waiting = trx
    .selectFrom('runs')
    .select(['id', 'options'])
    .where('feed', '=', feed)
    .where('login', '=', login)
    .where('stage', '=', 'pull')
    .where('tries', '=', 0)
    .where('delivery_sha', 'is', null)
    .where('id', 'not in', (eb) => eb.selectFrom('starts').select('run'))
    .orderBy('created_at', 'desc');
  const found = (await waiting.execute()).find(({ options }) => options.file === undefined && options.of === undefined);
  if (found === undefined) return undefined;
  await lockRuns(trx, [found.id]);
  // It may have begun, or even have ended, until its row was held.
  return (await waiting.execute()).find(({ id }) => id === found.id)?.id;
}

/** Forgets what was pushed up to a time, epoch milliseconds, but for the newest file of each feed. */
export async function forgetPushed(db: Db, before: number): Promise<void> {
  await db
    .deleteFrom('pushed')
    .where('at', '<=', before)
    .where((eb) =>
      eb(
        'at',
        '<',
        eb
          .selectFrom('pushed as other')
          .select(({ fn }) => fn.max('other.at').as('newest'))
          .whereRef('other.feed', '=', 'pushed.feed'),
      ),
    )
    .execute();
}

/** The hashes of what was pushed since a time, epoch milliseconds, and of the newest file of each feed. */
export async function keptPushes(db: Db, since: number): Promise<string[]> {
  const newest = db
    .selectFrom('pushed')
    .select(({ fn }) => ['feed', fn.max('at').as('at')])
    .groupBy('feed')
    .as('newest');
  const rows = await db
    .selectFrom('pushed')
    .innerJoin(newest, 'newest.feed', 'pushed.feed')
    .select('pushed.sha256')
    .where((eb) => eb.or([eb('pushed.at', '>', since), eb('pushed.at', '=', eb.ref('newest.at'))]))
    .execute();
  return rows.map(({ sha256 }) => sha256);
}
