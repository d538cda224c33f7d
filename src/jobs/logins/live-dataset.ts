import type { RowFile } from '../../compose/row-file.ts';
import type { Context } from '../../context.ts';
import { offerOf } from '../../ledger/schema/schema.ts';
import { lastVerified } from '../../ledger/uploads/accepted-uploads.ts';

/** The rows that were last proved live in a login, if they are kept; whoever reads them finds out whether they are whole. */
export async function liveDataset(login: string, ctx: Context): Promise<RowFile | null> {
  const live = await lastVerified(ctx.ledger.db, login);
  if (live === undefined || live.dataset.pruned_at !== null) return null;
  const { index_sha } = live.dataset;
  return { path: ctx.archive.file(index_sha), columns: Object.keys(offerOf(live.dataset).columns), kind: 'index' };
}
