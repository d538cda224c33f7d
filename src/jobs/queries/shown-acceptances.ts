import type { ShownAcceptance } from '../../config/show/feed-columns.ts';
import type { Context } from '../../context.ts';
import { headerFingerprint } from '../../detect/columns/accepted.ts';
import { acceptedColumnsOf, asAccepted } from '../../ledger/runs/accepted-columns.ts';
import { listRuns } from '../../ledger/runs/runs.ts';

/** So many runs are looked through for one whose file was read. */
const RECENT = 50;

/**
 * The columns that are accepted for a feed, newest first; those for the header of its newest file are current. Where no file is
 * known any more, the newest are.
 */
export async function shownAcceptances(feed: string, { ledger }: Context): Promise<ShownAcceptance[]> {
  const rows = (await acceptedColumnsOf(ledger.db, feed)).reverse();
  const runs = rows.length === 0 ? [] : await listRuns(ledger.db, { feed, limit: RECENT });
  const newest = runs.find(({ detection }) => detection !== null)?.detection ?? null;
  const current =
    newest === null
      ? rows[0]
      : rows.find((row) => row.fingerprint === headerFingerprint({ header: newest.columns, width: newest.width }));
  return rows.map((row) =>
    Object.assign(asAccepted(row), { header: row.header_cells, width: row.width, isCurrent: row === current }),
  );
}
