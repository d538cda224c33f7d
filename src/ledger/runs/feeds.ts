import type { Db } from '../ledger.ts';
import type { FeedRow, RunRow } from '../schema/schema.ts';

/** What the ledger remembers of a feed, without changing it: of one that it has not seen, or that moved to this login, nothing. */
export async function knownFeed(db: Db, feed: string, login: string): Promise<FeedRow> {
  const row = await db.selectFrom('feeds').selectAll().where('feed', '=', feed).executeTakeFirst();
  return asOfLogin(row, feed, login);
}

/** What the ledger remembers of a feed; made on first sight. A feed that moved to another login starts anew there. */
export async function feedState(db: Db, feed: string, login: string): Promise<FeedRow> {
  await db
    .insertInto('feeds')
    .values({ feed, login })
    .onConflict((conflict) => conflict.column('feed').doNothing())
    .execute();
  const row = await db.selectFrom('feeds').selectAll().where('feed', '=', feed).executeTakeFirstOrThrow();
  if (row.login === login) return row;
  await db
    .updateTable('feeds')
    .set({ ...AFRESH, login })
    .where('feed', '=', feed)
    .execute();
  return { ...row, ...AFRESH, login };
}

/** What a feed that moved to another login leaves behind. */
const AFRESH = {
  candidate: null,
  candidate_at: null,
  head: null,
  contribution: null,
  live_sha: null,
  live_settings: null,
  checkpoint: null,
} satisfies Partial<FeedRow>;

const UNSEEN = {
  ...AFRESH,
  schedule: null,
  next_due: null,
  delivered: null,
  delivered_at: null,
  expected_from: null,
  warned_at: null,
} satisfies Omit<FeedRow, 'feed' | 'login'>;

/** What the ledger would remember of a feed of this login by its row, as `feedState` does, without changing it. */
export function asOfLogin(row: FeedRow | undefined, feed: string, login: string): FeedRow {
  if (row === undefined) return { feed, login, ...UNSEEN };
  return row.login === login ? row : { ...row, ...AFRESH, login };
}

/** What the ledger remembers of a feed, which no other transaction changes until this one ends. */
export async function lockFeed(trx: Db, feed: string, login: string): Promise<FeedRow> {
  await feedState(trx, feed, login);
  await trx
    .updateTable('feeds')
    .set((eb) => ({ login: eb.ref('login') }))
    .where('feed', '=', feed)
    .execute();
  return feedState(trx, feed, login);
}

/** What the ledger remembers of a feed, if it was ever seen. */
export async function feedRow(db: Db, feed: string): Promise<FeedRow | undefined> {
  return db.selectFrom('feeds').selectAll().where('feed', '=', feed).executeTakeFirst();
}

/** The login that a feed belonged to when it was last at work; null of a feed that was never seen. */
export async function loginOfFeed(db: Db, feed: string): Promise<string | null> {
  const row = await db.selectFrom('feeds').select('login').where('feed', '=', feed).executeTakeFirst();
  return row?.login ?? null;
}

/** Changes columns of a feed's state. */
export async function updateFeed(db: Db, feed: string, set: Partial<Omit<FeedRow, 'feed'>>): Promise<void> {
  await db.updateTable('feeds').set(set).where('feed', '=', feed).execute();
}

/**
 * Moves when a feed is due next; false when another process has moved it since `known` was read. What a slow scheduler computed
 * earlier never takes the place of what a faster one has decided.
 */
export async function moveDue(
  db: Db,
  { feed, schedule, next_due }: Pick<FeedRow, 'feed' | 'schedule' | 'next_due'>,
  to: Pick<FeedRow, 'schedule' | 'next_due'>,
): Promise<boolean> {
  const moved = await db
    .updateTable('feeds')
    .set(to)
    .where('feed', '=', feed)
    .where('schedule', schedule === null ? 'is' : '=', schedule)
    .where('next_due', next_due === null ? 'is' : '=', next_due)
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}

/** The states of all feeds, or of one login's. */
export async function listFeeds(db: Db, login?: string): Promise<FeedRow[]> {
  let query = db.selectFrom('feeds').selectAll();
  if (login !== undefined) query = query.where('login', '=', login);
  return query.orderBy('feed').execute();
}

/** The run's rows are the feed's candidate no longer; a newer candidate stays. */
export async function clearCandidate(db: Db, run: RunRow): Promise<void> {
  await db
    .updateTable('feeds')
    .set({ candidate: null, candidate_at: null })
    .where('feed', '=', run.feed)
    .where('candidate', '=', run.id)
    .execute();
}
