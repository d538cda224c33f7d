import { closeSync, openSync, writeSync } from 'node:fs';
import { CFB } from '@e965/xlsx';
import yazl from 'yazl';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** Rows that a sheet of an old workbook can have. */
const SHEET_ROWS = 65_536;
const LONGEST_RECORD = 8_224;

/** Cells of a list in their order; texts of the first two differ in each row. */
function cellsOf(at: number): (string | number)[] {
  const price = (at % 9_999) / 100 + 10.01;
  return [
    `0 986 ${at}`,
    `Brake pads ${at}`,
    'BOSCH',
    'pcs',
    `note ${at % 777}`,
    price,
    at % 50,
    4_047_024_000_000 + at,
  ];
}

/** Writes an old Excel workbook of so many rows, in as many sheets as they need; strings are in a table, as Excel does it. */
export function generateXls(path: string, rows: number): void {
  const strings = new Map<string, number>();
  const sheets: Buffer[] = [];
  for (let from = 0; from < rows; from += SHEET_ROWS) {
    const records: Buffer[] = [];
    for (let at = from; at < Math.min(rows, from + SHEET_ROWS); at++) {
      for (const [column, value] of cellsOf(at).entries()) records.push(cell(at - from, column, value, strings));
    }
    sheets.push(Buffer.concat([begin(16), ...records, record(0x0a, 0)]));
  }
  const table = stringTable([...strings.keys()]);
  const head = (places: number[]) =>
    Buffer.concat([begin(5), ...sheets.map((_sheet, at) => listing(at, places[at] ?? 0)), table, record(0x0a, 0)]);
  let place = head([]).length;
  const places = sheets.map((sheet) => (place += sheet.length) - sheet.length);
  const container = CFB.utils.cfb_new({ root: 'R' }) as object;
  CFB.utils.cfb_add(container, '/Workbook', Buffer.concat([head(places), ...sheets]));
  const file = openSync(path, 'w');
  writeSync(file, CFB.write(container, { type: 'buffer' }) as Buffer);
  closeSync(file);
}

/** A record with room for so many bytes. */
function record(type: number, bytes: number): Buffer {
  const whole = Buffer.alloc(4 + bytes);
  whole.writeUInt16LE(type, 0);
  whole.writeUInt16LE(bytes, 2);
  return whole;
}

function begin(kind: number): Buffer {
  const whole = record(0x0809, 16);
  whole.writeUInt16LE(0x0600, 4);
  whole.writeUInt16LE(kind, 6);
  return whole;
}

function listing(at: number, place: number): Buffer {
  const whole = record(0x85, 10);
  whole.writeUInt32LE(place, 4);
  whole.set([2, 0], 10);
  whole.write(`L${at}`, 12, 'latin1');
  return whole;
}

function cell(row: number, column: number, value: string | number, strings: Map<string, number>): Buffer {
  const isText = typeof value === 'string';
  const whole = record(isText ? 0xfd : 0x0203, isText ? 10 : 14);
  whole.writeUInt16LE(row, 4);
  whole.writeUInt16LE(column, 6);
  if (!isText) whole.writeDoubleLE(value, 10);
  else {
    const known = strings.get(value) ?? strings.size;
    strings.set(value, known);
    whole.writeUInt32LE(known, 10);
  }
  return whole;
}

/** The table of strings, in records that continue one another. */
function stringTable(strings: string[]): Buffer {
  const records: Buffer[] = [];
  const head = Buffer.alloc(8);
  head.writeUInt32LE(strings.length, 4);
  let [parts, bytes] = [[head], head.length];
  const flush = () => {
    records.push(record(records.length === 0 ? 0xfc : 0x3c, 0), ...parts);
    records.at(-parts.length - 1)!.writeUInt16LE(bytes, 2);
    [parts, bytes] = [[], 0];
  };
  for (const text of strings) {
    const part = Buffer.from(`\0\0\0${text}`, 'latin1');
    part.writeUInt16LE(text.length, 0);
    if (bytes + part.length > LONGEST_RECORD) flush();
    parts.push(part);
    bytes += part.length;
  }
  flush();
  return Buffer.concat(records);
}

/** Writes an OpenDocument spreadsheet of so many rows. */
export async function generateOds(path: string, rows: number): Promise<void> {
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from('application/vnd.oasis.opendocument.spreadsheet'), 'mimetype', { compress: false });
  zip.addBuffer(Buffer.from(contentXml(rows)), 'content.xml');
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}

function contentXml(rows: number): string {
  const lines = Array.from({ length: rows }, (_row, at) => {
    const cells = cellsOf(at).map((value) => {
      const type = typeof value === 'string' ? 'string"' : `float" office:value="${value}"`;
      return `<table:table-cell office:value-type="${type}><text:p>${value}</text:p></table:table-cell>`;
    });
    return `<table:table-row>${cells.join('')}</table:table-row>`;
  });
  return `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet><table:table table:name="L">${lines.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`;
}
