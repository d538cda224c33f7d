import { own } from '../../io/dictionary.ts';
import type { Db } from '../../ledger/ledger.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { FeedAccount, RunRow } from '../../ledger/schema/schema.ts';
import type { RowCounts } from '../../model.ts';
import { NOTHING_READ, reconcile } from '../../report/reconcile.ts';
import type { Success } from './commit-outcome.ts';

/** What an account is drawn from. */
type Drawn = Pick<Success, 'parts' | 'traced' | 'rejections' | 'errorsMissing' | 'upload' | 'dataset'>;

/** The account of a run's rows in a successful upload. When a check of the receipt failed, nothing is claimed to be live. */
export function accountOf(run: RunRow, success: Drawn, proved: boolean): RowCounts {
  const local = run.counts ?? NOTHING_READ;
  const { upload, dataset, traced } = success;
  const part = success.parts.find((candidate) => candidate.feed === run.feed);
  return reconcile({
    local,
    outranked: part?.outranked ?? 0,
    rejectedRemotely: own(traced.rejectedRows, run.feed) ?? 0,
    finished: proved ? 'success' : 'other',
    untraced: traced.untraced,
    errorsKnown: !success.errorsMissing,
    lines: { sent: dataset.rows, processed: upload.lines_processed },
  });
}

/**
 * What became of each feed's part, also of those that brought nothing new: another feed may have won some of its rows, and the
 * service may reject rows today that it took yesterday.
 */
export async function accountsOf(db: Db, success: Drawn, proved: boolean): Promise<Map<string, FeedAccount>> {
  const accounts = new Map<string, FeedAccount>();
  for (const { feed, run } of success.parts) {
    const sha256 = own(success.rejections, feed);
    const total = own(success.traced.rejections, feed) ?? 0;
    const rejections = sha256 === undefined || total === 0 ? null : { sha256, total };
    accounts.set(feed, { ...accountOf(await getRun(db, run), success, proved), rejections });
  }
  return accounts;
}

/** The rows of all feeds that were rejected for certain. */
export function rejectedRowsOf({ traced }: Pick<Drawn, 'traced'>): number {
  return Object.values(traced.rejectedRows).reduce((sum, rows) => sum + rows, 0);
}
