import type { Db } from '../ledger.ts';
import type { RunRow } from '../schema/schema.ts';

/** What a supplier is shown of a delivery of its own. */
export type SupplierDelivery = Pick<
  RunRow,
  'id' | 'outcome' | 'created_at' | 'delivery_name' | 'delivery_sha' | 'entry' | 'counts' | 'account'
>;

/** How a run ended that said something of a file; of the unchanged ones only another file with the same rows did. */
const ENDED = ['live', 'partial', 'held', 'rejected', 'failed'] as const;

/** Runs that are looked at for each delivery that is wanted: the same file may have had several. */
const RUNS_OF_ONE = 3;

/** The newest deliveries of a feed, the newest first: files that are read or were, each with the last run that it had. */
export async function supplierDeliveries(
  db: Db,
  { feed, sandbox, limit }: { feed: string; sandbox: boolean; limit: number },
): Promise<SupplierDelivery[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'outcome', 'created_at', 'delivery_name', 'delivery_sha', 'entry', 'counts', 'account'])
    .where('feed', '=', feed)
    .where('sandbox', '=', sandbox ? 1 : 0)
    .where('delivery_sha', 'is not', null)
    .where((eb) =>
      eb.or([eb('outcome', 'is', null), eb('outcome', 'in', ENDED), eb('reason_code', '=', 'same-dataset')]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit * RUNS_OF_ONE)
    .execute();
  return rows.filter(({ delivery_sha: sha }, at) => sha !== rows[at - 1]?.delivery_sha).slice(0, limit);
}
