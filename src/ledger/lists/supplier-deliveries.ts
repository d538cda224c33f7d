import type { Db } from '../ledger.ts';
import type { RunRow } from '../schema/schema.ts';

/** What a supplier is shown of a delivery of its own. */
export type SupplierDelivery = Pick<
  RunRow,
  'id' | 'outcome' | 'created_at' | 'delivery_name' | 'delivery_sha' | 'entry' | 'counts' | 'account'
>;

/** How a run ended that said something of a file. */
const ENDED = ['live', 'partial', 'held', 'rejected', 'failed'] as const;

/** Of the others only those did whose file was another one with the same rows, or gave way to a later one. */
const REASONS = ['same-dataset', 'superseded'];

/** Runs that are looked at for each delivery that is wanted: the same file may have had several. */
const RUNS_OF_ONE = 3;

/** The newest deliveries of a feed, the newest first: files that are read or were, each with the last run that it had. */
export async function supplierDeliveries(
  db: Db,
  { feed, sandbox, limit }: { feed: string; sandbox: boolean; limit: number },
): Promise<SupplierDelivery[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'outcome', 'created_at', 'delivery_name', 'delivery_sha', 'entry', 'counts', 'account', 'options'])
    .where('feed', '=', feed)
    .where('sandbox', '=', sandbox ? 1 : 0)
    .where('delivery_sha', 'is not', null)
    .where((eb) => eb.or([eb('outcome', 'is', null), eb('outcome', 'in', ENDED), eb('reason_code', 'in', REASONS)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit * RUNS_OF_ONE)
    .execute();
  return rows
    .filter(({ outcome, options }) => outcome !== 'nothing' || options.of === undefined)
    .filter(({ delivery_sha: sha }, at, own) => sha !== own[at - 1]?.delivery_sha)
    .slice(0, limit)
    .map(({ options: _options, ...shown }) => shown);
}

/** A file that was sent and that its run has not taken yet. */
export type ArrivedFile = { name: string; at: number };

/** The files that were pushed to a feed and wait for their run to take them, the newest first. */
export async function arrivedFiles(db: Db, { feed, limit }: { feed: string; limit: number }): Promise<ArrivedFile[]> {
  return db
    .selectFrom('pushed')
    .innerJoin('runs', 'runs.id', 'pushed.run')
    .select(['pushed.name', 'pushed.at'])
    .where('pushed.feed', '=', feed)
    .where('runs.outcome', 'is', null)
    .where('runs.delivery_sha', 'is', null)
    .orderBy('pushed.at', 'desc')
    .limit(limit)
    .execute();
}
