import { own } from '../../io/dictionary.ts';
import type { Db } from '../../ledger/ledger.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { DatasetPart, DatasetRow, FeedAccount, RunRow, UploadRow } from '../../ledger/schema/schema.ts';
import type { RowCounts } from '../../model.ts';
import { reconcile } from '../../report/reconcile.ts';
import { nothingRead } from '../../wording/account.ts';
import type { TracedUpload } from '../../upload/errors/trace-upload.ts';

/** What an account is made of. */
type AccountFacts = TracedUpload & { parts: DatasetPart[]; upload: UploadRow; dataset: DatasetRow };

/** The account of a run's rows in a successful upload. When a check of the receipt failed, nothing is claimed to be live. */
export function accountOf(run: RunRow, facts: AccountFacts, verified: boolean): RowCounts {
  const local = run.counts ?? nothingRead();
  const { upload, dataset, traced } = facts;
  const part = facts.parts.find((candidate) => candidate.feed === run.feed);
  return reconcile({
    local,
    outranked: part?.outranked ?? 0,
    rejectedRemotely: own(traced.rejectedRows, run.feed) ?? 0,
    finished: verified ? 'success' : 'other',
    untraced: traced.untraced,
    errorsKnown: !facts.errorsMissing,
    lines: { sent: dataset.rows, processed: upload.lines_processed },
  });
}

/**
 * What became of each feed's part, also of those that brought nothing new: another feed may have won some of its rows, and the
 * service may reject rows today that it took yesterday.
 */
export async function accountsOf(db: Db, facts: AccountFacts, verified: boolean): Promise<Map<string, FeedAccount>> {
  const accounts = new Map<string, FeedAccount>();
  for (const { feed, run } of facts.parts) {
    const sha256 = own(facts.rejections, feed);
    const total = own(facts.traced.rejections, feed) ?? 0;
    const rejections = sha256 === undefined || total === 0 ? null : { sha256, total };
    accounts.set(feed, { ...accountOf(await getRun(db, run), facts, verified), rejections });
  }
  return accounts;
}

/** The rows of all feeds that were rejected for certain. */
export function rejectedRowsOf({ traced }: Pick<AccountFacts, 'traced'>): number {
  return Object.values(traced.rejectedRows).reduce((sum, rows) => sum + rows, 0);
}
