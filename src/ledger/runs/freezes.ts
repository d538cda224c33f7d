import { raise, recover } from '../alerts/incidents.ts';
import type { Db } from '../ledger.ts';
import type { FreezeRow } from '../schema/schema.ts';

/** Freezes a feed, which is an incident until it is released; one that is frozen already keeps its first freeze. */
export async function freezeFeed(db: Db, freeze: FreezeRow): Promise<void> {
  const added = await db
    .insertInto('freezes')
    .values(freeze)
    .onConflict((conflict) => conflict.column('feed').doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) return;
  const { feed, login, at, who, reason } = freeze;
  const why = { code: 'feed-frozen', who, reason } as const;
  await raise(db, { kind: 'frozen-feed', login, feed, reason: why, numbers: { since: at } }, at);
}

/** Ends the freeze of a feed, or of all feeds of a login; gives the feeds that were frozen. */
export async function endFreezes(
  db: Db,
  of: { kind: 'feed' | 'login'; name: string },
  why: { text: string; now: number },
): Promise<string[]> {
  const ended = await db.deleteFrom('freezes').where(of.kind, '=', of.name).returning(['feed', 'login']).execute();
  for (const { feed, login } of ended) {
    await recover(db, { kind: 'frozen-feed', login, feed, text: why.text }, why.now);
  }
  return ended.map(({ feed }) => feed).sort();
}

/** The freeze of a feed, if there is one. */
export async function freezeOf(db: Db, feed: string): Promise<FreezeRow | undefined> {
  return db.selectFrom('freezes').selectAll().where('feed', '=', feed).executeTakeFirst();
}

/** All freezes, in the order of the feeds. */
export async function listFreezes(db: Db): Promise<FreezeRow[]> {
  return db.selectFrom('freezes').selectAll().orderBy('feed').execute();
}
