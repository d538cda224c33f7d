import type { RowFile } from '../../compose/row-file.ts';
import type { Context } from '../../context.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { offerOf } from '../../ledger/schema/schema.ts';
import { runInThread } from '../../threads/thread.ts';
import { usable } from '../archive/usable.ts';
import type { RejectedOnBothSides, RejectedThere } from './compare-with-live.ts';

export const COMPARING = new URL('./compare-with-live.ts', import.meta.url);

/** What the service rejected of a dataset that is live; null when it rejected nothing, or the record of it is gone. */
export async function rejectedThere(live: AcceptedUpload | undefined, ctx: Context): Promise<RejectedThere | null> {
  const errors = live?.upload.errors_sha ?? null;
  if (live === undefined || errors === null || !(await usable(errors, ctx))) return null;
  return { errorsPath: ctx.archive.file(errors), columns: Object.keys(offerOf(live.dataset).columns) };
}

/** Rows of rejected parts by feed on both sides; none where one side is not there. */
export async function countRejected(
  { older, newer, rejected }: { older: RowFile | null; newer: RowFile | null; rejected: RejectedThere | null },
  signal: AbortSignal,
): Promise<RejectedOnBothSides> {
  if (older === null || newer === null || rejected === null) return { older: {}, newer: {} };
  const task = { module: COMPARING, name: 'rejectedOnBothSides' };
  return runInThread<RejectedOnBothSides>(task, { older, newer, rejected }, signal);
}
