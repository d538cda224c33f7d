import { sql } from 'kysely';
import type { FindabilityLook, FoundPart, PartDemand, WantedPart } from '../../model.ts';
import type { Db } from '../ledger.ts';
import { named } from '../named.ts';
import type { FindabilityRow } from '../schema/watch-schema.ts';

/** Looks of a feed that are kept: enough to see how it went in half a year of weeks. */
const KEPT = 26;

/** Records a look, and forgets those of its feed that are too old to be shown or of a time that has not come. Call it in a transaction. */
export async function recordLook(db: Db, { newParts, namesShown, ...look }: FindabilityLook): Promise<void> {
  const row: FindabilityRow = { ...look, new_parts: newParts, names_shown: namesShown ? 1 : 0 };
  const { login, feed } = look;
  // The clock was ahead when they were recorded: they would hide this look and all that follow.
  await db
    .deleteFrom('findability')
    .where('login', '=', login)
    .where('feed', '=', feed)
    .where('at', '>', look.at)
    .execute();
  await db.insertInto('findability').values(row).execute();
  const old = await db
    .selectFrom('findability')
    .select('id')
    .where('login', '=', login)
    .where('feed', '=', feed)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .offset(KEPT)
    .limit(KEPT)
    .execute();
  if (old.length === 0) return;
  await db
    .deleteFrom('findability')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .execute();
}

/**
 * What the search answered last about a feed, if it was asked: the newest look that was not cut short, and where every one was, the newest with
 * answers.
 */
export async function lastLook(
  db: Db,
  { login, feed }: { login: string; feed: string },
): Promise<FindabilityLook | null> {
  return (await lastLooks(db, [feed], login)).get(feed) ?? null;
}

/** The same for each of some feeds, at one login or at any; a feed that was never looked at is left out. */
export async function lastLooks(
  db: Db,
  feeds: readonly string[],
  login?: string,
): Promise<Map<string, FindabilityLook>> {
  if (feeds.length === 0) return new Map();
  const whole = await newestLooks(db, feeds, { login, cut: false });
  const cut = await newestLooks(
    db,
    feeds.filter((feed) => !whole.has(feed)),
    { login, cut: true },
  );
  return new Map([...whole, ...cut]);
}

async function newestLooks(
  db: Db,
  feeds: readonly string[],
  { login, cut }: { login: string | undefined; cut: boolean },
): Promise<Map<string, FindabilityLook>> {
  if (feeds.length === 0) return new Map();
  const rows = await db
    .selectFrom(named(feeds))
    .innerJoin('findability', (join) =>
      join.on('findability.id', '=', (eb) => {
        const ofFeed = eb
          .selectFrom('findability as newest')
          .select('newest.id')
          .whereRef('newest.feed', '=', 'named.column1')
          .where('newest.note', cut ? 'is not' : 'is', null);
        const atLogin = login === undefined ? ofFeed : ofFeed.where('newest.login', '=', login);
        const answered = cut ? atLogin.where(sql<boolean>`newest.answers <> '[]'`) : atLogin;
        return answered.orderBy('newest.at', 'desc').orderBy('newest.id', 'desc').limit(1);
      }),
    )
    .selectAll('findability')
    .execute();
  return new Map(rows.map((row) => [row.feed, lookOf(row)]));
}

/** The parts that the search did not find when it was asked for them last; looks before the newest whole one do not count. */
export async function missingParts(
  db: Db,
  { login, feed }: { login: string; feed: string },
): Promise<{ brand: string; oem: string }[]> {
  const rows = await db
    .selectFrom('findability')
    .select(['note', 'answers'])
    .where('login', '=', login)
    .where('feed', '=', feed)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const whole = rows.findIndex(({ note }) => note === null);
  const counting = whole < 0 ? rows : rows.slice(0, whole + 1);
  const newest = new Map<string, FoundPart>();
  for (const answer of counting.flatMap(({ answers }) => answers)) {
    const key = JSON.stringify([answer.brand, answer.oem]);
    if (!newest.has(key)) newest.set(key, answer);
  }
  return [...newest.values()].filter(({ found }) => found === 'missing').map(({ brand, oem }) => ({ brand, oem }));
}

/** What is known of the demand for a feed's parts, live or not, the newest answers first, and the look that answered last. */
export async function knownDemand(
  db: Db,
  { login, feed }: { login: string; feed: string },
): Promise<{ look: string | null; parts: PartDemand[] }> {
  const rows = await db
    .selectFrom('findability')
    .select(['id', 'answers', 'wanted'])
    .where('login', '=', login)
    .where('feed', '=', feed)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const parts = rows
    .flatMap(({ answers, wanted }) => [...answers, ...wanted])
    .flatMap(({ brand, oem, saleCategory }) => (saleCategory === undefined ? [] : [{ brand, oem, saleCategory }]));
  return { look: rows[0]?.id ?? null, parts };
}

/** The parts that are not live and that the search was asked for in the looks that are kept. */
export async function askedWanted(db: Db, { login, feed }: { login: string; feed: string }): Promise<WantedPart[]> {
  const rows = await db
    .selectFrom('findability')
    .select('wanted')
    .where('login', '=', login)
    .where('feed', '=', feed)
    .execute();
  return rows.flatMap(({ wanted }) => wanted);
}

/** When each feed was looked at last, and whether that look was cut short; a feed that never was is left out. */
export async function lookTimes(db: Db): Promise<{ login: string; feed: string; at: number; cut: boolean }[]> {
  const rows = await db
    .selectFrom('findability')
    .select(['login', 'feed', 'at', 'note'])
    .orderBy('at')
    .orderBy('id')
    .execute();
  const newest = new Map(rows.map((row) => [`${row.login}\t${row.feed}`, row]));
  return [...newest.values()].map(({ login, feed, at, note }) => ({ login, feed, at, cut: note !== null }));
}

/** How often the search was asked for live parts since a time, by login. */
export async function lookCalls(db: Db, since: number): Promise<{ login: string; calls: number }[]> {
  return db
    .selectFrom('findability')
    .select(({ fn }) => ['login', fn.sum<number>('calls').as('calls')])
    .where('at', '>=', since)
    .groupBy('login')
    .execute();
}

function lookOf({ new_parts, names_shown, ...row }: FindabilityRow): FindabilityLook {
  return { ...row, newParts: new_parts, namesShown: names_shown === 1 };
}
