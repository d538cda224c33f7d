import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OfferlineError } from '../../src/errors.ts';
import type { OpenTables, TableInput, TableLimits, TableRow } from '../../src/tables/table-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const LIMITS: TableLimits = { fileSize: 1e9, cellLength: 1_000, rowLength: 10_000 };

/** A file with this content, as a reader gets it. */
export function input(content: Uint8Array, settings: Partial<TableInput> = {}): TableInput {
  const folder = tempFolder();
  const path = join(folder, 'list');
  writeFileSync(path, content);
  return { path, name: 'list', folder, limits: LIMITS, records: null, charset: null, ...settings };
}

/** The tables of a file, all rows of one of them, and the notes. */
export async function readAll(open: OpenTables, content: Uint8Array, table = 0, settings: Partial<TableInput> = {}) {
  await using file = await open(input(content, settings));
  const rows: TableRow[] = [];
  for await (const batch of file.rows(table)) rows.push(...batch);
  return { tables: file.tables, rows, notes: file.notes() };
}

/** The code and the sentence with which a file is refused while it is opened or read; null when it is not. */
export async function refusedFor(
  open: OpenTables,
  content: Uint8Array,
  settings: Partial<TableInput> = {},
): Promise<{ code: unknown; message: string } | null> {
  try {
    await using file = await open(input(content, settings));
    for (const at of file.tables.keys()) for await (const _rows of file.rows(at));
    return null;
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code !== 'file-rejected') throw error;
    return { code: error.details['code'], message: error.message };
  }
}
