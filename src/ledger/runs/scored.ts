import type { Outcome } from '../../model.ts';
import type { Db } from '../ledger.ts';

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

/** The outcomes of runs that brought something new. */
const DELIVERED = ['live', 'partial', 'held', 'rejected'] as const;

/** The deliveries of all feeds whose runs began in a span of time (`to` is left out of it), in the order of time. */
export async function deliveriesIn(db: Db, { from, to }: { from: number; to: number }): Promise<DeliveredRun[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'feed', 'delivery_sha', 'created_at', 'outcome', 'counts', 'account', 'issues'])
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where('outcome', 'in', DELIVERED)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id, feed, delivery_sha: sha, created_at: at, outcome, counts, account, issues }) => ({
    id,
    feed,
    sha,
    at,
    outcome: outcome ?? 'held',
    read: (account ?? counts)?.read ?? null,
    rejected: ((account ?? counts)?.rejectedLocally ?? 0) + (account?.rejectedRemotely ?? 0),
    restructured: (issues?.['structure-changed'] ?? 0) > 0,
  }));
}

/** When each feed's last delivery before a moment came. */
export async function lastDeliveriesBefore(db: Db, before: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('runs')
    .select((eb) => ['feed', eb.fn.max('created_at').as('at')])
    .where('created_at', '<', before)
    .where('outcome', 'in', DELIVERED)
    .groupBy('feed')
    .execute();
  return new Map(rows.map(({ feed, at }) => [feed, at]));
}
