import type { DiffInput } from '../../compose/diff.ts';
import type { RowFile } from '../../compose/row-file.ts';
import type { Context } from '../../context.ts';
import { offerOf, type DatasetRow, type RunRow } from '../../ledger/schema/schema.ts';
import { tablesOf } from '../../ledger/uploads/datasets.ts';
import type { HeldDiff, RowsDiff } from '../../model.ts';
import { runInThread } from '../../threads/thread.ts';
import { usable } from '../archive/usable.ts';

/** The accepted rows of a run; null when there are none, or they are no longer in the archive. */
export async function rowsOfRun(run: RunRow, ctx: Context): Promise<RowFile | null> {
  if (run.rows_sha === null || !(await usable(run.rows_sha, ctx))) return null;
  return acceptedFile(run, ctx);
}

/** The file of a run's accepted rows, whether or not the archive still has it; null when there is none. */
export function acceptedFile({ rows_sha, columns, detection }: RunRow, { archive }: Context): RowFile | null {
  if (rows_sha === null || columns === null) return null;
  return { path: archive.file(rows_sha), columns, kind: 'rows', tables: { '': detection?.parts ?? [] } };
}

/** The rows of a dataset with their feeds; null when they are no longer in the archive. */
export async function rowsOfDataset(dataset: DatasetRow, ctx: Context): Promise<RowFile | null> {
  return (await usable(dataset.index_sha, ctx)) ? indexFile(dataset, ctx) : null;
}

/** The file of a dataset's rows, whether or not the archive still has it. */
export async function indexFile(dataset: DatasetRow, ctx: Context): Promise<RowFile> {
  const columns = Object.keys(offerOf(dataset).columns);
  const tables = await tablesOf(ctx.ledger.db, dataset.parts);
  return { path: ctx.archive.file(dataset.index_sha), columns, kind: 'index', tables };
}

/** Both sides of what a held run would change; of removed parts those in demand are the examples. */
type Sides = { older: RowFile | null; newer: RowFile | null; demand?: DiffInput['demand'] };

/** What would change; null when there is nothing to compare. Reads both sides in a thread. */
export async function heldDiff(
  of: HeldDiff['of'],
  { older, newer, demand }: Sides,
  ctx: Context,
  signal: AbortSignal,
): Promise<HeldDiff | null> {
  if (older === null || newer === null) return null;
  return { of, ...(await compared({ older, newer, demand }, ctx, signal)) };
}

/** What differs between two sets of rows, by brand; `older` null: all rows are new. Reads both sides in a thread. */
export async function diffInThread(
  older: RowFile | null,
  newer: RowFile,
  ctx: Context,
  signal: AbortSignal,
): Promise<RowsDiff> {
  return compared({ older, newer }, ctx, signal);
}

function compared(sides: Omit<DiffInput, 'columns'>, { config }: Context, signal: AbortSignal): Promise<RowsDiff> {
  const input: DiffInput = { ...sides, columns: Object.keys(config.offer.columns) };
  const task = { module: new URL('../../compose/diff.ts', import.meta.url), name: 'diffRows' };
  return runInThread<RowsDiff>(task, input, signal);
}
