import { sql } from 'kysely';
import type { Outcome, RowCounts } from '../../model.ts';
import type { Db } from '../ledger.ts';
import type { IncidentRow } from '../schema/schema.ts';

/** A delivery of a feed and what came of it. */
export type DeliveredRun = {
  id: string;
  feed: string;
  sha: string | null;
  at: number;
  outcome: Outcome;
  read: number | null;
  rejected: number;
  restructured: boolean;
};

/** The outcomes of runs that brought a file; of the unchanged ones those whose file was another one with the same rows. */
const DELIVERED = ['live', 'partial', 'held', 'rejected', 'unchanged'] as const;

/** The deliveries of all feeds whose runs began in a span of time (`to` is left out of it), in the order of time. */
export async function deliveriesIn(db: Db, { from, to }: { from: number; to: number }): Promise<DeliveredRun[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'feed', 'delivery_sha', 'created_at', 'outcome', 'options'])
    .select((eb) => [
      // An account has all that counts have. There are thousands of rows: each text that is decoded takes its time.
      eb.fn.coalesce('account', 'counts').as('counts'),
      sql<number>`case when issues like '%"structure-changed":%' then 1 else 0 end`.as('restructured'),
    ])
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where('outcome', 'in', DELIVERED)
    // Most of the unchanged ones are left out here; those of earlier versions have no code yet.
    .where((eb) =>
      eb.or([eb('outcome', '<>', 'unchanged'), eb('reason_code', '=', 'same-dataset'), eb('reason_code', 'is', null)]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const delivered = rows.filter(({ outcome, options }) => outcome !== 'unchanged' || options.cause === 'same-dataset');
  return delivered.map(({ id, feed, delivery_sha: sha, created_at: at, outcome, restructured, counts: raw }) => {
    const counts = raw as Partial<RowCounts> | null;
    return {
      id,
      feed,
      sha,
      at,
      outcome: outcome ?? 'held',
      read: counts?.read === undefined ? null : counts.read + (counts.expanded ?? 0),
      rejected: (counts?.rejectedLocally ?? 0) + (counts?.rejectedRemotely ?? 0),
      restructured: restructured === 1,
    };
  });
}

/** A problem of a feed that was open in a span of time. */
export type FeedProblem = Pick<IncidentRow, 'feed' | 'run' | 'opened_at' | 'recovered_at'>;

/** The incidents of these kinds that were open in a span of time (`to` is left out of it), the oldest first. */
export async function problemsIn(
  db: Db,
  kinds: readonly IncidentRow['kind'][],
  { from, to }: { from: number; to: number },
): Promise<FeedProblem[]> {
  return db
    .selectFrom('incidents')
    .select(['feed', 'run', 'opened_at', 'recovered_at'])
    .where('kind', 'in', kinds)
    .where('opened_at', '<', to)
    .where((eb) => eb.or([eb('recovered_at', 'is', null), eb('recovered_at', '>=', from)]))
    .orderBy('opened_at')
    .orderBy('id')
    .execute();
}
