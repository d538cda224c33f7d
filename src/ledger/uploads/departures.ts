import type { Db } from '../ledger.ts';
import type { DepartureRow } from '../schema/schema.ts';

/** The feeds that a guard keeps in the login's dataset although they left the configuration, and those released since. */
export async function departuresOf(db: Db, login: string): Promise<DepartureRow[]> {
  return db.selectFrom('departures').selectAll().where('login', '=', login).orderBy('feed').execute();
}

/** What `departuresOf` says, of all logins. */
export async function listDepartures(db: Db): Promise<DepartureRow[]> {
  return db.selectFrom('departures').selectAll().orderBy('login').orderBy('feed').execute();
}

/** The names of all feeds that are kept in a dataset: as departing ones, or frozen. */
export async function keptFeeds(db: Db): Promise<string[]> {
  const departing = await db.selectFrom('departures').select('feed').execute();
  const frozen = await db.selectFrom('freezes').select('feed').execute();
  return [...new Set([...departing, ...frozen].map(({ feed }) => feed))];
}

/** Keeps a feed in its login's dataset; one that is kept already stays so since then, with the newest reason. */
export async function keepDeparting(db: Db, departure: Omit<DepartureRow, 'released_at'>): Promise<void> {
  const { reason } = departure;
  await db
    .insertInto('departures')
    .values(departure)
    .onConflict((conflict) => conflict.columns(['login', 'feed']).doUpdateSet({ reason }))
    .execute();
}

/** Lets a feed leave at the next composition; gives the names of what was kept: none, or the feed. */
export async function releaseDeparting(db: Db, feed: string, now: number): Promise<string[]> {
  const released = await db
    .updateTable('departures')
    .set({ released_at: now })
    .where('feed', '=', feed)
    .where('released_at', 'is', null)
    .returning('feed')
    .execute();
  return released.map((row) => row.feed);
}

/** Forgets the departures of a login's feeds that have left, or are configured again. */
export async function forgetDeparted(db: Db, login: string, leaving: string[]): Promise<void> {
  for (const { feed } of await departuresOf(db, login)) {
    if (leaving.includes(feed)) continue;
    await db.deleteFrom('departures').where('login', '=', login).where('feed', '=', feed).execute();
  }
}
