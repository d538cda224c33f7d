import type { Db } from '../ledger.ts';
import type { RunRow } from '../schema/schema.ts';

/** A delivery of a feed as a strip of them shows it. */
export type StripRun = Pick<RunRow, 'id' | 'outcome' | 'created_at' | 'counts' | 'account'>;

/** How a run ended that said something of a file or of its source; of the unchanged ones only another file with the same rows did. */
const ENDED = ['live', 'partial', 'held', 'rejected', 'failed'] as const;

/** The newest deliveries of a feed and what became of them, the oldest of them first. */
export async function deliveryStrip(db: Db, feed: string, limit: number): Promise<StripRun[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'outcome', 'created_at', 'counts', 'account'])
    .where('feed', '=', feed)
    .where((eb) => eb.or([eb('outcome', 'in', ENDED), eb('reason_code', '=', 'same-dataset')]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}
