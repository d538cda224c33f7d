import { set_cptable, utils, write, type CellObject, type WorkBook, type WorkSheet } from '@e965/xlsx';
import * as codePages from '@e965/xlsx/dist/cpexcel.full.mjs';

set_cptable(codePages);

export type Value = string | number | boolean | Date | null;

/** A sheet of these values. `formats`: the number formats of its columns. */
export function sheetOf(values: (Value | CellObject)[][], formats: Record<number, string> = {}): WorkSheet {
  const sheet = utils.aoa_to_sheet(values, { cellDates: false, UTC: true });
  for (const [at, row] of values.entries()) {
    for (const column of row.keys()) {
      const cell = sheet[utils.encode_cell({ r: at, c: column })] as CellObject | undefined;
      const format = formats[column];
      if (cell !== undefined && format !== undefined) cell.z = format;
    }
  }
  return sheet;
}

/** A workbook of these sheets. */
export function workbookOf(sheets: Record<string, WorkSheet>): WorkBook {
  const workbook = utils.book_new();
  for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(workbook, sheet, name);
  return workbook;
}

/** A workbook as an old Excel file. `codepage`: that of the texts before Excel 97. */
export function madeXls(
  workbook: WorkBook,
  { bookType = 'biff8', codepage }: { bookType?: 'biff8' | 'biff5'; codepage?: number } = {},
): Buffer {
  return write(workbook, { type: 'buffer', bookType, ...(codepage === undefined ? {} : { codepage }) }) as Buffer;
}
