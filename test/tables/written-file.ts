import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OfferlineError } from '../../src/errors.ts';
import type { TableFile, TableInput, TableLimits, TableRow } from '../../src/tables/table-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const LIMITS: TableLimits = { fileSize: 1e9, cellLength: 1_000, rowLength: 10_000 };

/** A file with this content, as a reader gets it. */
export function written(content: string | Uint8Array, limits: Partial<TableLimits> = {}): TableInput {
  const folder = tempFolder();
  const path = join(folder, 'prices');
  writeFileSync(path, content);
  return { path, name: 'prices', folder, limits: { ...LIMITS, ...limits }, records: null, charset: null };
}

/** All rows of a table. */
export async function rowsOf(file: TableFile, table = 0): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  for await (const batch of file.rows(table)) rows.push(...batch);
  return rows;
}

/** The cells of all rows of a table. */
export async function cellsOf(file: TableFile, table = 0): Promise<string[][]> {
  return (await rowsOf(file, table)).map(({ cells }) => cells);
}

/** The code and the sentence with which a file is refused while it is opened or read; null when it is not. */
export async function refusedFor(open: () => Promise<TableFile>): Promise<{ code: unknown; message: string } | null> {
  try {
    await using file = await open();
    for (const at of file.tables.keys()) for await (const _rows of file.rows(at));
    return null;
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code !== 'file-rejected') throw error;
    return { code: error.details['code'], message: error.message };
  }
}
