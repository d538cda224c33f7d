import type { Outcome } from '../../model.ts';
import type { Db } from '../ledger.ts';

/** How many runs of a feed ended in one way; null: they have not ended yet. */
export type EndedRuns = { feed: string; outcome: Outcome | null; runs: number };

/** How the runs ended that began in a span of time (`from` is left out of it), counted by feed and outcome. */
export async function countOutcomes(db: Db, { from, to }: { from: number; to: number }): Promise<EndedRuns[]> {
  return db
    .selectFrom('runs')
    .select((eb) => ['feed', 'outcome', eb.fn.countAll<number>().as('runs')])
    .where('created_at', '>', from)
    .where('created_at', '<=', to)
    .groupBy(['feed', 'outcome'])
    .execute();
}
