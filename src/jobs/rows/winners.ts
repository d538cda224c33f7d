import { damageOf } from '../../archive/kept-file.ts';
import { keptRows, type KeptRow, type RowFile } from '../../compose/row-file.ts';
import type { Context } from '../../context.ts';
import { findRun } from '../../ledger/runs/runs.ts';
import type { DatasetRow, RunRow } from '../../ledger/schema/schema.ts';
import { partKey } from '../../parts/part-key.ts';
import { acceptedFile, indexFile } from '../guards/held-diff.ts';
import type { RowPlace } from './run-rows.ts';
import { brandFolder } from './search.ts';

/** The first rows of parts in a file, by the keys of the parts, with all of their cells. Ends when all are found, or `most`. */
export async function rowsOfParts(
  file: RowFile,
  keys: Set<string>,
  most: number = keys.size,
): Promise<Map<string, KeptRow>> {
  const found = new Map<string, KeptRow>();
  if (keys.size === 0) return found;
  const brands = new Set([...keys].map((key) => key.slice(0, key.indexOf('\t'))));
  const fold = brandFolder();
  const [brandAt, oemAt] = [file.columns.indexOf('brand'), file.columns.indexOf('oem')];
  for await (const rows of keptRows(file, file.columns)) {
    for (const row of rows) {
      const brand = row.cells[brandAt] ?? '';
      // Most rows are of other brands, and folding a number takes longer.
      if (!brands.has(fold(brand))) continue;
      const key = partKey(brand, row.cells[oemAt] ?? '');
      if (keys.has(key) && !found.has(key) && found.size < most) found.set(key, row);
    }
    if (found.size >= most) break;
  }
  return found;
}

/** Where the rows stand that other feeds have won in a dataset, by the keys of their parts. */
export async function winnersIn(
  dataset: DatasetRow,
  keys: Set<string>,
  notes: Set<string>,
  ctx: Context,
): Promise<Map<string, RowPlace>> {
  const found = await unlessDamaged(async () => rowsOfParts(await indexFile(dataset, ctx), keys), notes);
  const files = new Map<string, string | null>();
  for (const { feed, run } of dataset.parts) files.set(feed, await fileOfRun(run, ctx));
  return new Map(
    [...found].map(([key, { feed, file, sheet, line }]) => [
      key,
      { feed, ...fileNamed(file, files.get(feed) ?? null), sheet, line },
    ]),
  );
}

/** Where the accepted rows of a run stand that have these parts. */
export async function firstRows(
  run: RunRow,
  keys: Set<string>,
  notes: Set<string>,
  ctx: Context,
): Promise<Map<string, RowPlace>> {
  const file = acceptedFile(run, ctx);
  const found = file === null ? new Map<string, KeptRow>() : await unlessDamaged(() => rowsOfParts(file, keys), notes);
  const { feed } = run;
  return new Map(
    [...found].map(([key, { file: its, sheet, line }]) => [key, { feed, ...fileNamed(its, fileOf(run)), sheet, line }]),
  );
}

/** The file of a row: one of several, or the one that the run has read. */
export function fileNamed(file: string | undefined, whole: string | null): Pick<RowPlace, 'file' | 'ofFiles'> {
  return file === undefined ? { file: whole } : { file, ofFiles: true };
}

/** The name of the file that a run has read. */
export function fileOf({ entry, delivery_name }: RunRow): string | null {
  return entry ?? delivery_name;
}

/** The same by the run's id; null also for a run that this ledger does not know, such as that of what was taken over. */
export async function fileOfRun(id: string, { ledger }: Context): Promise<string | null> {
  const run = await findRun(ledger.db, id);
  return run === undefined ? null : fileOf(run);
}

async function unlessDamaged(
  work: () => Promise<Map<string, KeptRow>>,
  notes: Set<string>,
): Promise<Map<string, KeptRow>> {
  try {
    return await work();
  } catch (error) {
    if (damageOf(error) === null) throw error;
    notes.add((error as Error).message);
    return new Map();
  }
}
