import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as sheetJs from '@e965/xlsx';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';
import writeExcelFile, { type SheetData } from 'write-excel-file/node';
import { tempFolder } from '../../support/temp-folder.ts';
import { readAll } from './made-workbook.ts';

type Value = string | number | boolean | Date | null;

const VALUES: Value[][] = [
  ['Brand', 'Article', 'Price', 'From', 'In stock', 'Count'],
  ['BOSCH', '0 986 424 797', 12.5, new Date(Date.UTC(2026, 2, 1)), true, 4],
  ['Лемфёрдер & Co', '  <x> "y"\n', 0.1 + 0.2, null, false, 1e10],
  [null, null, null, null, null, null],
  ['MANN', 'W_712/75_x', 1234567.891, null, null, 123],
];

const ROWS = [
  { line: 1, cells: ['Brand', 'Article', 'Price', 'From', 'In stock', 'Count'] },
  { line: 2, cells: ['BOSCH', '0 986 424 797', '12.5', '2026-03-01', 'TRUE', '0000004'] },
  { line: 3, cells: ['Лемфёрдер & Co', '  <x> "y"\n', '0.3', '', 'FALSE', '10000000000'] },
  { line: 5, cells: ['MANN', 'W_712/75_x', '1234567.891', '', '', '0000123'] },
];

const formatOf = (column: number) => (column === 3 ? 'dd.mm.yyyy' : column === 5 ? '0000000' : 'General');

async function byExceljs(): Promise<Buffer> {
  const workbook = new exceljs.Workbook();
  fill(workbook.addWorksheet('List'));
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

async function byExceljsStreaming(useSharedStrings: boolean): Promise<Buffer> {
  const stream = new PassThrough();
  const bytes = buffer(stream);
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({ stream, useSharedStrings, useStyles: true });
  fill(workbook.addWorksheet('List'));
  await workbook.commit();
  return bytes;
}

function fill(sheet: exceljs.Worksheet): void {
  for (const [at, values] of VALUES.entries()) {
    const row = sheet.getRow(at + 1);
    for (const [column, value] of values.entries()) {
      if (value === null) continue;
      row.getCell(column + 1).value = value;
      row.getCell(column + 1).numFmt = formatOf(column);
    }
    row.commit();
  }
}

function bySheetJs(bookSST: boolean): Buffer {
  const sheet: sheetJs.WorkSheet = sheetJs.utils.aoa_to_sheet(VALUES, { cellDates: true, UTC: true });
  for (const [at, values] of VALUES.entries()) {
    for (const column of values.keys()) {
      const cell = sheet[sheetJs.utils.encode_cell({ r: at, c: column })] as sheetJs.CellObject | undefined;
      if (cell !== undefined) cell.z = formatOf(column);
    }
  }
  const workbook = sheetJs.utils.book_new(sheet, 'List');
  return sheetJs.write(workbook, { type: 'buffer', bookType: 'xlsx', bookSST, compression: true }) as Buffer;
}

async function byWriteExcelFile(): Promise<Buffer> {
  const path = join(tempFolder(), 'list.xlsx');
  const data: SheetData = VALUES.map((values) =>
    values.map((value, column) =>
      typeof value === 'number' || value instanceof Date ? { value, format: formatOf(column) } : value,
    ),
  );
  await writeExcelFile(data, { sheet: 'List' }).toFile(path);
  return readFileSync(path);
}

test.each([
  ['exceljs', byExceljs],
  ['exceljs, streaming', () => byExceljsStreaming(false)],
  ['exceljs, streaming with a table of strings', () => byExceljsStreaming(true)],
  ['SheetJS', () => bySheetJs(false)],
  ['SheetJS with a table of strings', () => bySheetJs(true)],
  ['write-excel-file', byWriteExcelFile],
])('a list is the same, written by %s', async (_name, write) => {
  const { tables, rows, notes } = await readAll(await write());
  expect(tables).toEqual([{ name: 'List', hidden: false }]);
  expect(rows).toEqual(ROWS);
  expect(notes).toEqual([]);
});

test('merged cells, rich text, hidden parts and formulas by exceljs', async () => {
  const workbook = new exceljs.Workbook();
  const sheet = workbook.addWorksheet('List');
  workbook.addWorksheet('Old', { state: 'veryHidden' });
  sheet.getCell('A1').value = 'Price list';
  sheet.mergeCells('A1:C1');
  sheet.getCell('A2').value = { richText: [{ text: 'OC ' }, { font: { bold: true }, text: '90' }] };
  sheet.getCell('B2').value = { formula: '1+1', result: 2 };
  sheet.getCell('C2').value = { formula: 'A9' };
  sheet.getCell('D2').value = { error: '#N/A' };
  sheet.getCell('E2').value = { text: 'shop', hyperlink: 'https://shop.example' };
  sheet.getRow(2).hidden = true;
  sheet.getColumn(2).hidden = true;
  const { tables, rows, notes } = await readAll(Buffer.from(await workbook.xlsx.writeBuffer()));
  expect(tables.map(({ hidden }) => hidden)).toEqual([false, true]);
  expect(rows.map(({ cells }) => cells)).toEqual([['Price list'], ['OC 90', '2', '', '#N/A', 'shop']]);
  expect(notes).toEqual([
    'The sheet "List" has 1 hidden row and 1 hidden column (B) with cells; they were read.',
    'The sheet "List" has a formula (C2) without a saved result; such cells are empty. Open the workbook, save it and send it again.',
  ]);
});
