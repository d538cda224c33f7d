import type { DiffInput } from '../../compose/diff.ts';
import type { RowFile } from '../../compose/row-file.ts';
import type { Context } from '../../context.ts';
import { offerOf, type DatasetRow, type RunRow } from '../../ledger/schema/schema.ts';
import { tablesOf } from '../../ledger/uploads/datasets.ts';
import type { HeldDiff, RowsDiff } from '../../model.ts';
import { runInThread } from '../../threads/thread.ts';
import { usable } from '../archive/usable.ts';

/** The accepted rows of a run; null when there are none, or they are no longer in the archive. */
export async function rowsOfRun({ rows_sha, columns, detection }: RunRow, ctx: Context): Promise<RowFile | null> {
  if (rows_sha === null || columns === null || !(await usable(rows_sha, ctx))) return null;
  return { path: ctx.archive.file(rows_sha), columns, kind: 'rows', tables: { '': detection?.parts ?? [] } };
}

/** The rows of a dataset with their feeds; null when they are no longer in the archive. */
export async function rowsOfDataset(dataset: DatasetRow, ctx: Context): Promise<RowFile | null> {
  if (!(await usable(dataset.index_sha, ctx))) return null;
  const columns = Object.keys(offerOf(dataset).columns);
  const tables = await tablesOf(ctx.ledger.db, dataset.parts);
  return { path: ctx.archive.file(dataset.index_sha), columns, kind: 'index', tables };
}

/** What would change; null when there is nothing to compare. Reads both sides in a thread. */
export async function heldDiff(
  of: HeldDiff['of'],
  older: RowFile | null,
  newer: RowFile | null,
  ctx: Context,
  signal: AbortSignal,
): Promise<HeldDiff | null> {
  if (older === null || newer === null) return null;
  const input: DiffInput = { older, newer, columns: Object.keys(ctx.config.offer.columns) };
  const task = { module: new URL('../../compose/diff.ts', import.meta.url), name: 'diffRows' };
  return { of, ...(await runInThread<RowsDiff>(task, input, signal)) };
}
