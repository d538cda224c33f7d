import { refusal } from '../../../io/refusal.ts';
import { counted } from '../../../wording/words.ts';
import type { Encoding } from '../../encoding.ts';
import type { MergedCells } from '../../merged-cells.ts';
import type { TableFile, TableInput, TableRow } from '../../table-file.ts';
import { parseXml } from '../parse-xml.ts';
import { sheetRows, type Hidden } from './sheet-rows.ts';
import { surveyWorkbook } from './survey-workbook.ts';

/**
 * Opens a workbook of SpreadsheetML 2003 ("XML spreadsheet"). Hidden rows and columns are read, and `notes` says so. Throws
 * `file-rejected`.
 */
export async function openSpreadsheet(input: TableInput, encoding: Encoding): Promise<TableFile> {
  const { sheets, formats } = await surveyWorkbook(input, encoding);
  if (sheets.length === 0) {
    throw refusal('no-table', `${input.name} is a workbook without a sheet. Save it again and send it.`);
  }
  const hidden = new Map<number, Hidden>();
  const merged = new Map<number, MergedCells[]>();
  return {
    tables: sheets,
    rows: async function* (table): AsyncGenerator<TableRow[], void> {
      const met: Hidden = { rows: 0, columns: 0 };
      hidden.set(table, met);
      const reader = sheetRows({ input, sheet: table, formats, hidden: met });
      merged.set(table, reader.merged);
      for await (const _piece of parseXml(input, encoding, reader)) {
        const rows = reader.take();
        if (rows.length > 0) yield rows;
      }
    },
    found: null,
    isHeaded: false,
    columnNames: {},
    merged: (table) => merged.get(table) ?? [],
    notes: () => [...hidden].flatMap(([table, met]) => hiddenNotes(sheets[table]!.name ?? '', met)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function hiddenNotes(sheet: string, { rows, columns }: Hidden): string[] {
  const parts = [
    ...(rows > 0 ? [counted(rows, 'hidden row')] : []),
    ...(columns > 0 ? [counted(columns, 'hidden column')] : []),
  ];
  return parts.length === 0
    ? []
    : [`${parts.join(' and ')} of sheet "${sheet}" ${rows + columns === 1 ? 'was' : 'were'} read.`];
}
