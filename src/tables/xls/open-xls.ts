import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sheetNotes } from '../sheet/sheet-findings.ts';
import type { OpenTables, TableFile, TableInput } from '../table-file.ts';
import { openXlsx } from '../xlsx/open-xlsx.ts';
import { PACKAGE } from './child-task.ts';
import { readRows } from './row-files.ts';
import { refuseTooLarge, runChild, type ChildLimits } from './run-child.ts';

const LIMITS: ChildLimits = { file: 50 << 20, memory: 1 << 30, time: 60_000 };

/**
 * Opens an old Excel workbook (XLS of Excel 5 and later). It can only be read as a whole, so a child process reads it, within
 * limits of its own, and writes the rows of its sheets into `input.folder`. Throws `file-rejected`.
 */
export const openXls: OpenTables = (input) => openWithin(LIMITS)(input);

/** The same within other limits. */
export function openWithin(limits: ChildLimits): OpenTables {
  return async (input) => {
    refuseTooLarge(input.name, (await stat(input.path)).size, limits);
    const { folder, sheets } = await runChild(input, limits);
    if (sheets === 'package') return openDecrypted(input, folder);
    const read = new Set<number>();
    return {
      tables: sheets.map(({ name, hidden }) => ({ name, hidden })),
      rows: (table) => {
        read.add(table);
        return readRows(join(folder, sheets[table]!.file));
      },
      found: null,
      isHeaded: false,
      columnNames: {},
      merged: (table) => sheets[table]!.merged,
      notes: () =>
        sheets.flatMap(({ name, hidden, findings }, table) => {
          const met = { ...findings, hiddenColumns: new Set(findings.hiddenColumns) };
          return read.has(table) ? sheetNotes(name, hidden, met) : [];
        }),
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
    };
  };
}

/** A workbook of a newer kind that was encrypted with the password that every spreadsheet program knows. */
async function openDecrypted(input: TableInput, folder: string): Promise<TableFile> {
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const opened = await openXlsx({ ...input, path: join(folder, PACKAGE) });
    return {
      ...opened,
      [Symbol.asyncDispose]: async () => {
        await opened[Symbol.asyncDispose]();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
