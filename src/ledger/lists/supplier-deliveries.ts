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

/** The newest deliveries of a feed since a time, the newest first: files that are read or were, each with the last run that it had. */
export async function supplierDeliveries(
  db: Db,
  { feed, sandbox, since, limit }: { feed: string; sandbox: boolean; since: number; limit: number },
): Promise<SupplierDelivery[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'outcome', 'created_at', 'delivery_name', 'delivery_sha', 'entry', 'counts', 'account', 'options'])
    .where('feed', '=', feed)
    .where('created_at', '>=', since)
    .where('sandbox', '=', sandbox ? 1 : 0)
    .where('delivery_sha', 'is not', null)
    .where((eb) => eb.or([eb('outcome', 'is', null), eb('outcome', 'in', ENDED), eb('reason_code', 'in', REASONS)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit * RUNS_OF_ONE)
    .execute();
  const others = await filesBefore(
    db,
    { feed, since },
    rows.flatMap(({ delivery_sha: sha }) => sha ?? []),
  );
  return rows
    .filter(({ delivery_sha: sha }) => !others.has(sha ?? ''))
    .filter(({ outcome, options }) => outcome !== 'nothing' || options.of === undefined)
    .filter(({ delivery_sha: sha }, at, own) => sha !== own[at - 1]?.delivery_sha)
    .slice(0, limit)
    .map(({ options: _options, ...shown }) => shown);
}

/** Which of some files a feed had before a time, by their hashes: whoever reads them again, they are those of the supplier that it had then. */
export async function filesBefore(
  db: Db,
  { feed, since }: { feed: string; since: number },
  hashes: string[],
): Promise<Set<string>> {
  if (since === 0 || hashes.length === 0) return new Set();
  const runs = db.selectFrom('runs').select('delivery_sha as sha').where('feed', '=', feed);
  const pushed = db.selectFrom('pushed').select('sha256 as sha').where('feed', '=', feed);
  const read = await runs.where('delivery_sha', 'in', hashes).where('created_at', '<', since).execute();
  const sent = await pushed.where('sha256', 'in', hashes).where('at', '<', since).execute();
  return new Set([...read, ...sent].flatMap(({ sha }) => sha ?? []));
}

/** A file that was sent and that no run took: it waits for one, a later file was taken in its place, or it could not be taken. */
export type UntakenFile = { name: string; at: number; became: 'arrived' | 'replaced' | 'rejected' | 'failed' };

/** A run takes a file after it was sent, by a clock that may be set back by so much. */
const CLOCK_SET_BACK = 86_400_000;

/** Of the last files that were pushed to a feed since a time those that no run took, the newest first. `isFull`: each takes the place of those before it. */
export async function untakenFiles(
  db: Db,
  { feed, since, isFull, limit }: { feed: string; since: number; isFull: boolean; limit: number },
): Promise<UntakenFile[]> {
  const sent = await db
    .selectFrom('pushed')
    .leftJoin('runs', 'runs.id', 'pushed.run')
    .select(['pushed.id', 'pushed.name', 'pushed.at', 'runs.outcome', 'runs.delivery_sha as taken'])
    .where('pushed.feed', '=', feed)
    .where('pushed.at', '>=', since)
    .orderBy('pushed.at', 'desc')
    .limit(limit)
    .execute();
  const oldest = sent.at(-1);
  if (oldest === undefined) return [];
  const noted = await db
    .selectFrom('taken_files')
    .select(['listed', 'state'])
    .where('feed', '=', feed)
    .where('at', '>=', oldest.at - CLOCK_SET_BACK)
    .execute();
  const states = new Map(noted.map(({ listed, state }) => [listed.id, state]));
  return sent
    .filter(({ id }) => states.get(id) !== 'taken')
    .map(({ id, name, at, outcome, taken }) => {
      // Of full lists of one name only the newest is looked at.
      const isPassed = isFull && sent.some((later) => later.name === name && later.at > at && states.has(later.id));
      if (states.get(id) === 'superseded' || isPassed) return { name, at, became: 'replaced' };
      // How a run ended that took another file says nothing of this one: it waits.
      if (taken !== null) return { name, at, became: 'arrived' };
      return { name, at, became: outcome === 'rejected' || outcome === 'failed' ? outcome : 'arrived' };
    });
}
