import type { Context } from '../context.ts';
import { feedState } from '../ledger/feeds.ts';
import { getRun } from '../ledger/runs.ts';
import type { KeptRows } from '../validate/lost-zeros.ts';

/** The rows of a feed that are live, if they are still there. */
export async function liveRows(
  feed: string,
  login: string,
  { ledger, archive }: Pick<Context, 'ledger' | 'archive'>,
): Promise<KeptRows | null> {
  const { contribution } = await feedState(ledger.db, feed, login);
  if (contribution === null) return null;
  const { rows_sha, columns } = await getRun(ledger.db, contribution);
  if (rows_sha === null || columns === null || !(await archive.has(rows_sha))) return null;
  return { path: archive.path(rows_sha), columns: JSON.parse(columns) as string[] };
}
