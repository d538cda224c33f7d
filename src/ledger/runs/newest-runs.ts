import type { Db } from '../ledger.ts';
import { named } from '../named.ts';
import type { RunRow } from '../schema/schema.ts';

/** What lists say of a feed's newest run. */
export type NewestRun = Pick<
  RunRow,
  'id' | 'feed' | 'stage' | 'outcome' | 'reason' | 'reason_code' | 'reason_facts' | 'created_at' | 'finished_at'
>;

/** The newest run of each of some feeds; a feed without runs is left out. */
export async function newestRuns(db: Db, feeds: readonly string[]): Promise<Map<string, NewestRun>> {
  if (feeds.length === 0) return new Map();
  const rows = await db
    .selectFrom(named(feeds))
    .innerJoin('runs', (join) =>
      join.on('runs.id', '=', (eb) =>
        eb
          .selectFrom('runs as newest')
          .select('newest.id')
          .whereRef('newest.feed', '=', 'named.column1')
          .orderBy('newest.created_at', 'desc')
          .orderBy('newest.id', 'desc')
          .limit(1),
      ),
    )
    .select(['runs.id', 'runs.feed', 'runs.stage', 'runs.outcome', 'runs.reason', 'runs.reason_code'])
    .select(['runs.reason_facts', 'runs.created_at', 'runs.finished_at'])
    .execute();
  return new Map(rows.map((row) => [row.feed, row]));
}
