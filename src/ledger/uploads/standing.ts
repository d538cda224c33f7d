import type { Db } from '../ledger.ts';
import type { RunRow } from '../schema/schema.ts';

const GOOD = ['live', 'partial', 'unchanged'] as const;
const BAD = ['held', 'rejected', 'failed'] as const;

/** Since when a feed's contribution stands still because its deliveries did not get through, and how many did not. */
export type Standstill = { since: number; deliveries: number; last: Pick<RunRow, 'id' | 'outcome' | 'reason'> };

/** The deliveries of a feed that did not get through since its last good one; null when the last one did. */
export async function standstillOf(db: Db, feed: string): Promise<Standstill | null> {
  const good = await db
    .selectFrom('runs')
    .select('created_at')
    .where('feed', '=', feed)
    .where('outcome', 'in', GOOD)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  let query = db.selectFrom('runs').select(['id', 'outcome', 'reason', 'created_at', 'finished_at']);
  query = query.where('feed', '=', feed).where('outcome', 'in', BAD);
  if (good !== undefined) query = query.where('created_at', '>', good.created_at);
  const bad = await query.orderBy('created_at').orderBy('id').execute();
  const [first] = bad;
  const last = bad.at(-1);
  if (first === undefined || last === undefined) return null;
  return { since: first.finished_at ?? first.created_at, deliveries: bad.length, last };
}
