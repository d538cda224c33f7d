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

/** What a sender calls a push. */
type Key = { sender: string; text: string };

/** What a sender pushed to a feed under a key. */
export async function pushedWithKey(db: Db, feed: string, { sender, text }: Key): Promise<PushedRow | undefined> {
  return db
    .selectFrom('push_keys')
    .innerJoin('pushed', 'pushed.id', 'push_keys.pushed')
    .selectAll('pushed')
    .where('push_keys.feed', '=', feed)
    .where('push_keys.sender', '=', sender)
    .where('push_keys.key', '=', text)
    .executeTakeFirst();
}

/** Records under which key a sender pushed a delivery, also one that was there already. Call it under the lock of its feed. */
export async function keepKey(db: Db, feed: string, { sender, text }: Key, pushed: string): Promise<void> {
  await db.insertInto('push_keys').values({ feed, sender, key: text, pushed }).execute();
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

/**
 * Files that were pushed and wait until a run takes them: none has taken them yet or passed them over, also not by taking a later one of the same
 * name.
 * @internal exported for tests
 */
export async function waitingPushes(db: Db): Promise<PushedRow[]> {
  const rows = await db.selectFrom('pushed').selectAll().orderBy('at').execute();
  if (rows.length === 0) return [];
  const noted = await db
    .selectFrom('taken_files')
    .select('listed')
    .where('feed', 'in', [...new Set(rows.map(({ feed }) => feed))])
    .execute();
  const known = new Set(noted.map(({ listed }) => listed.id));
  const lastKnown = new Map<string, number>();
  const nameOf = ({ feed, name }: PushedRow) => JSON.stringify([feed, name]);
  for (const row of rows) if (known.has(row.id)) lastKnown.set(nameOf(row), row.at);
  return rows.filter((row) => !known.has(row.id) && row.at > (lastKnown.get(nameOf(row)) ?? 0));
}

/** What the next run of a feed finds: the newest file with all that one run took together with it, and those that wait. */
export async function nextDelivery(db: Db, feed: string): Promise<PushedRow[]> {
  const newest = await lastPushed(db, feed);
  if (newest === undefined) return [];
  const noted = await db.selectFrom('taken_files').select(['run', 'listed']).where('feed', '=', feed).execute();
  const run = noted.find(({ listed }) => listed.id === newest.id)?.run;
  const together = noted.filter((one) => one.run === run).map(({ listed }) => listed.id);
  const waiting = (await waitingPushes(db)).map(({ id }) => id);
  const ids = new Set([newest.id, ...together, ...waiting]);
  return (await allPushedTo(db, feed)).filter(({ id }) => ids.has(id));
}

/** Names that one statement takes; databases have a limit for them. */
const AT_ONCE = 500;

/** Forgets what was pushed up to a time, epoch milliseconds, with its keys, but for the newest file of each feed and for what still waits. */
export async function forgetPushed(db: Db, before: number): Promise<void> {
  const kept = new Set(await keptIds(db, before));
  const old = await db.selectFrom('pushed').select('id').where('at', '<=', before).execute();
  await forget(
    db,
    old.map(({ id }) => id).filter((id) => !kept.has(id)),
  );
}

/**
 * Forgets what was pushed up to a time, epoch milliseconds, to other feeds than these, also what waits: nothing will take it. Answers how many files of
 * each feed these were.
 */
export async function forgetPushedToOthers(
  trx: Db,
  feeds: ReadonlySet<string>,
  before: number,
): Promise<Map<string, number>> {
  const old = await trx.selectFrom('pushed').select(['id', 'feed']).where('at', '<=', before).execute();
  const gone = old.filter(({ feed }) => !feeds.has(feed));
  await forget(
    trx,
    gone.map(({ id }) => id),
  );
  return new Map([...Map.groupBy(gone, ({ feed }) => feed)].map(([feed, files]) => [feed, files.length]));
}

async function forget(db: Db, ids: string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    await db.deleteFrom('push_keys').where('pushed', 'in', some).execute();
    await db.deleteFrom('pushed').where('id', 'in', some).execute();
  }
}

/** The hashes of what was pushed since a time, epoch milliseconds, of the newest file of each feed, and of what still waits. */
export async function keptPushes(db: Db, since: number): Promise<string[]> {
  const kept = new Set(await keptIds(db, since));
  const rows = await db.selectFrom('pushed').select(['id', 'sha256']).execute();
  return rows.filter(({ id }) => kept.has(id)).map(({ sha256 }) => sha256);
}

async function keptIds(db: Db, since: number): Promise<string[]> {
  const newest = db
    .selectFrom('pushed')
    .select(({ fn }) => ['feed', fn.max('at').as('at')])
    .groupBy('feed')
    .as('newest');
  const young = await db
    .selectFrom('pushed')
    .innerJoin(newest, 'newest.feed', 'pushed.feed')
    .select('pushed.id')
    .where((eb) => eb.or([eb('pushed.at', '>', since), eb('pushed.at', '=', eb.ref('newest.at'))]))
    .execute();
  return [...young, ...(await waitingPushes(db))].map(({ id }) => id);
}
