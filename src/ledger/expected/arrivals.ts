import type { RowCounts } from '../../model.ts';
import type { Db } from '../ledger.ts';
import type { RunRow } from '../schema/schema.ts';

/** A file that a supplier delivered: with which run it came, when, and the rows that were read of it; null where none were. */
export type ArrivedFile = { feed: string; run: string; at: number; outcome: RunRow['outcome']; read: number | null };

/** A file that was met before is known by its runs of so long before a period. */
const LOOK_BACK_MS = 30 * 86_400_000;

/**
 * The files that came from these feeds' suppliers since a moment, in the order of time. A file that is met again is none: the same bytes with
 * the same name and time. `null`: all feeds.
 */
export async function arrivalsSince(
  db: Db,
  feeds: readonly string[] | null,
  since: number,
): Promise<Map<string, ArrivedFile[]>> {
  if (feeds?.length === 0) return new Map();
  let query = db
    .selectFrom('runs')
    .select(['id', 'feed', 'outcome', 'created_at', 'taken_at', 'delivery_sha', 'checkpoint', 'options'])
    .select((eb) => eb.fn.coalesce('account', 'counts').as('counts'))
    .where('created_at', '>=', since - LOOK_BACK_MS)
    .where('delivery_sha', 'is not', null);
  if (feeds !== null) query = query.where('feed', 'in', feeds);
  const rows = await query.orderBy('created_at').orderBy('id').execute();
  const met = new Set<string>();
  const arrived = rows.filter(({ feed, delivery_sha, checkpoint, options }) => {
    const file = JSON.stringify([feed, delivery_sha, checkpoint]);
    const isNew = !met.has(file);
    met.add(file);
    return isNew && (options.of === undefined || options.from === 'pull');
  });
  const files = arrived.map(({ id, feed, outcome, created_at, taken_at, counts }): ArrivedFile => {
    const { read, expanded = 0 } = (counts ?? {}) as unknown as Partial<RowCounts>;
    return { feed, run: id, at: taken_at ?? created_at, outcome, read: read === undefined ? null : read + expanded };
  });
  return Map.groupBy(
    files.filter(({ at }) => at >= since),
    ({ feed }) => feed,
  );
}

/** When the last file of each feed came before a moment. */
export async function lastArrivalsBefore(db: Db, before: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('runs')
    .select((eb) => ['feed', eb.fn.max(eb.fn.coalesce('taken_at', 'created_at')).as('at')])
    .where('created_at', '<', before)
    .where('delivery_sha', 'is not', null)
    // Of a file that is live already nothing new came.
    .where((eb) =>
      eb.or([
        eb('outcome', 'is', null),
        eb('outcome', '<>', 'unchanged'),
        eb('reason_code', 'is', null),
        eb('reason_code', '<>', 'same-file'),
      ]),
    )
    .groupBy('feed')
    .execute();
  return new Map(rows.map(({ feed, at }) => [feed, at]));
}
