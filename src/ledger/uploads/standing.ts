import { reasonOfRun, shownReason } from '../../wording/reasons/run-reasons.ts';
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
  const columns = ['id', 'outcome', 'reason', 'reason_code', 'reason_facts', 'created_at', 'finished_at'] as const;
  let query = db.selectFrom('runs').select(columns);
  query = query.where('feed', '=', feed).where('outcome', 'in', BAD);
  if (good !== undefined) query = query.where('created_at', '>', good.created_at);
  const bad = await query.orderBy('created_at').orderBy('id').execute();
  const [first] = bad;
  const last = bad.at(-1);
  if (first === undefined || last === undefined) return null;
  const { reason_code, reason_facts, ...rest } = last;
  const reason = shownReason(reasonOfRun({ reason: last.reason, reason_code, reason_facts }));
  return { since: first.finished_at ?? first.created_at, deliveries: bad.length, last: { ...rest, reason } };
}
