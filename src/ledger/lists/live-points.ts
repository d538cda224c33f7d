import { sql } from 'kysely';
import type { Ledger } from '../ledger.ts';

/** How many rows of a feed an upload made live, and when it was accepted. */
export type LivePoint = { at: number; live: number; upload: string; offerId: string | null };

/** Of which feed and login, since when (epoch milliseconds), and how many points at most. */
export type PointsOf = { feed: string; login: string; since: number; limit: number };

/**
 * What of a feed was live after the uploads of its login that were proved, oldest first. Of more uploads than the limit it takes
 * every second, third and so on, counted from the newest.
 */
export async function livePoints({ db, engine }: Pick<Ledger, 'db' | 'engine'>, of: PointsOf): Promise<LivePoint[]> {
  const { total } = await proved(db, of)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const step = Math.max(1, Math.ceil(total / of.limit));
  // Accounts hold every feed of the login: only those that are shown are read, and of each one number.
  const live =
    engine === 'sqlite'
      ? sql<number | null>`intents.accounts -> ${of.feed} ->> 'live'`
      : sql<number | null>`(intents.accounts::json -> ${of.feed}::text ->> 'live')::bigint`;
  const numbered = proved(db, of).select(['uploads.id', 'uploads.intent', 'uploads.offer_id', 'uploads.closed_at']);
  const rows = await db
    .with('numbered', () =>
      numbered.select(sql<number>`row_number() over (order by uploads.closed_at desc) - 1`.as('place')),
    )
    .selectFrom('numbered')
    .innerJoin('intents', 'intents.id', 'numbered.intent')
    .select(['numbered.id', 'numbered.offer_id', 'numbered.closed_at', live.as('live')])
    .where(sql<number>`numbered.place % ${sql.lit(step)}`, '=', 0)
    .orderBy('numbered.closed_at')
    .execute();
  return rows.map(({ id, offer_id: offerId, closed_at: at, live: count }) => {
    return { at: at ?? 0, live: count ?? 0, upload: id, offerId };
  });
}

function proved(db: Ledger['db'], { login, since }: PointsOf) {
  return db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .where('uploads.login', '=', login)
    .where('uploads.state', '=', 'success')
    .where('uploads.closed_at', '>=', since)
    .where('intents.result', '=', 'met');
}
