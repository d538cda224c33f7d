import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as sheetJs from '@e965/xlsx';
import exceljs from 'exceljs';
import writeExcelFile from 'write-excel-file/node';
import type { ReadSettings } from '../../src/config/schema/feed-settings.ts';

/** A list as a person has it before it is saved: the names of its columns, then its rows, all cells texts. */
export type List = string[][];

/** A way to save a list: by which program, and what has to be set to read it. */
export type Conversion = {
  bytes: (list: List) => Promise<Buffer> | Buffer;
  settings?: Partial<ReadSettings>;
  /** Rows are known by the number of their record, which is that of their line less one. */
  isRecords?: boolean;
};

/** The same list by every writer in every format. Records have no blank rows; cells of the others are texts. */
export const CONVERSIONS: Record<string, Conversion> = {
  'CSV with semicolons': { bytes: (list) => Buffer.from(delimited(list, ';')) },
  'CSV with tabs': { bytes: (list) => Buffer.from(delimited(list, '\t')) },
  'XLSX by exceljs': { bytes: byExceljs },
  'XLSX by exceljs, streamed': { bytes: byExceljsStreaming },
  'XLSX by SheetJS': { bytes: (list) => bySheetJs(list, 'xlsx') },
  'XLSX by write-excel-file': { bytes: byWriteExcelFile },
  'XLS by SheetJS': { bytes: (list) => bySheetJs(list, 'biff8') },
  'ODS by SheetJS': { bytes: (list) => bySheetJs(list, 'ods') },
  'SpreadsheetML 2003 by SheetJS': { bytes: (list) => bySheetJs(list, 'xlml') },
  'HTML by SheetJS': { bytes: (list) => bySheetJs(list, 'html') },
  'XML with elements': {
    bytes: (list) => Buffer.from(inElements(list)),
    settings: { records: '/prices/item' },
    isRecords: true,
  },
  'XML with attributes': {
    bytes: (list) => Buffer.from(inAttributes(list)),
    settings: { records: '/prices/item' },
    isRecords: true,
  },
  JSON: {
    bytes: (list) => Buffer.from(JSON.stringify({ offers: objects(list) })),
    settings: { records: '/offers' },
    isRecords: true,
  },
  NDJSON: {
    bytes: (list) =>
      Buffer.from(
        objects(list)
          .map((one) => JSON.stringify(one))
          .join('\n'),
      ),
    isRecords: true,
  },
};

function delimited(list: List, delimiter: string): string {
  const cell = (text: string) => (/["\r\n;\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return list.map((row) => `${row.map(cell).join(delimiter)}\r\n`).join('');
}

async function byExceljs(list: List): Promise<Buffer> {
  const book = new exceljs.Workbook();
  book.addWorksheet('List').addRows(list);
  return Buffer.from(await book.xlsx.writeBuffer());
}

async function byExceljsStreaming(list: List): Promise<Buffer> {
  const stream = new PassThrough();
  const bytes = buffer(stream);
  const book = new exceljs.stream.xlsx.WorkbookWriter({ stream, useSharedStrings: true });
  const sheet = book.addWorksheet('List');
  for (const row of list) sheet.addRow(row).commit();
  await book.commit();
  return bytes;
}

function bySheetJs(list: List, bookType: sheetJs.BookType): Buffer {
  const book = sheetJs.utils.book_new();
  sheetJs.utils.book_append_sheet(book, sheetJs.utils.aoa_to_sheet(list), 'List');
  return Buffer.from(sheetJs.write(book, { type: 'buffer', bookType, bookSST: true }) as Buffer);
}

async function byWriteExcelFile(list: List): Promise<Buffer> {
  const cells = list.map((row) => row.map((value) => (value === '' ? null : { type: String, value })));
  return writeExcelFile(cells).toBuffer();
}

function objects([names, ...rows]: List): Record<string, string>[] {
  return rows.map((row) => Object.fromEntries(row.map((value, at) => [names![at]!, value])));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;');
}

function inElements(list: List): string {
  const items = objects(list).map((one) =>
    Object.entries(one)
      .map(([name, value]) => `<${name}>${escaped(value)}</${name}>`)
      .join(''),
  );
  return `<?xml version="1.0" encoding="UTF-8"?><prices>${items.map((item) => `<item>${item}</item>`).join('\n')}</prices>`;
}

function inAttributes(list: List): string {
  const items = objects(list).map((one) =>
    Object.entries(one)
      .map(([name, value]) => ` ${name}="${escaped(value)}"`)
      .join(''),
  );
  return `<prices>${items.map((item) => `<item${item}/>`).join('\n')}</prices>`;
}
