import { join } from 'node:path';
import { damageOf } from '../../archive/kept-file.ts';
import type { RowFile } from '../../compose/row-file.ts';
import type { Context } from '../../context.ts';
import { isServiceError, messageOf } from '../../errors.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { runInThread } from '../../threads/thread.ts';
import type { Listed } from '../../upload/protocol/attempt.ts';
import type { Baseline, BaselineInput } from '../../upload/receipt/baseline.ts';
import { compareDownloaded, withSource, type Source } from '../../upload/receipt/compare-source.ts';
import { diffInThread, rowsOfDataset } from '../guards/held-diff.ts';

/** How many parts only the backup has, only the service has, both have with other cells, and both have alike. */
export type RowsApart = { onlyBackup: number; onlyLive: number; changed: number; alike: number };

/**
 * Whether a service serves the rows that the backup knows as live, and by how many they differ. `same` null: not known, and `why` says why. `apart`: null where
 * they are the same, or what is served has no brands and numbers to tell parts by.
 */
export type LiveRows = { same: boolean | null; apart: RowsApart | null; why: string | null };

/** Downloads what a service keeps for an upload and compares it with what the backup knows as live. */
export async function compareLive(
  live: Listed,
  { dataset, upload: { login } }: AcceptedUpload,
  ctx: Context,
  signal: AbortSignal,
): Promise<LiveRows> {
  const known = await rowsOfDataset(dataset, ctx);
  if (known === null) return unknown('the archive has lost the rows that the backup knows');
  const question = { offerId: live.id, dataset, login, signal };
  try {
    return await withSource(question, ctx, async (source) => {
      const { same } = await compareDownloaded(source, question, ctx);
      return { same, apart: same ? null : await apartFrom(source, known, ctx, signal), why: null };
    });
  } catch (error) {
    signal.throwIfAborted();
    if (damageOf(error) !== null || isServiceError(error)) return unknown(messageOf(error));
    throw error;
  }
}

function unknown(why: string): LiveRows {
  return { same: null, apart: null, why };
}

async function apartFrom(
  { path, folder }: Source,
  known: RowFile,
  ctx: Context,
  signal: AbortSignal,
): Promise<RowsApart | null> {
  const indexPath = join(folder, 'index');
  const input: BaselineInput = { sourcePath: path, indexPath, offer: ctx.config.offer };
  const task = { module: new URL('../../upload/receipt/baseline.ts', import.meta.url), name: 'readBaseline' };
  const { offer } = await runInThread<Baseline>(task, input, signal);
  const columns = Object.keys(offer.columns);
  if (!columns.includes('brand') || !columns.includes('oem')) return null;
  const live: RowFile = { path: indexPath, columns, kind: 'index' };
  const { after, added, removed, changed } = await diffInThread(known, live, ctx, signal);
  return { onlyBackup: removed, onlyLive: added, changed, alike: after - added - changed };
}
