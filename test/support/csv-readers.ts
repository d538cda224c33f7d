import { spawnSync } from 'node:child_process';
import { Readable } from 'node:stream';
import ExcelJS from 'exceljs';
import { read, utils } from '@e965/xlsx';
import { lacks } from './programs.ts';

/** A program that reads CSV as people will; cells as texts, `''` for an empty one. */
type CsvReader = { name: string; rows: (csv: Buffer) => Promise<string[][]> };

const PYTHON = `
import csv, io, json, sys
csv.field_size_limit(10**9)
text = io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8-sig', newline='')
json.dump(list(csv.reader(text)), sys.stdout)
`;

/** Python's csv, SheetJS and exceljs; Python only where there is one, in CI always. */
export function csvReaders(): CsvReader[] {
  return [
    ...(lacks('python3') ? [] : [{ name: "Python's csv", rows: readWithPython }]),
    { name: 'SheetJS', rows: readWithSheetJs },
    { name: 'exceljs', rows: readWithExcelJs },
  ];
}

function readWithPython(csv: Buffer): Promise<string[][]> {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', PYTHON], { input: csv, maxBuffer: 1e9 });
  if (status !== 0) throw new Error(`Python: ${stderr.toString()}`);
  return Promise.resolve(JSON.parse(stdout.toString()) as string[][]);
}

function readWithSheetJs(csv: Buffer): Promise<string[][]> {
  const { SheetNames, Sheets } = read(csv.toString('utf8').replace(/^\uFEFF/, ''), { type: 'string', raw: true });
  const sheet = Sheets[SheetNames[0]!]!;
  const cells = Object.values(sheet) as { f?: string }[];
  if (cells.some(({ f }) => f !== undefined)) throw new Error('SheetJS takes a cell for a formula');
  return Promise.resolve(utils.sheet_to_json<string[]>(sheet, { header: 1, defval: '', raw: true, blankrows: true }));
}

async function readWithExcelJs(csv: Buffer): Promise<string[][]> {
  const sheet = await new ExcelJS.Workbook().csv.read(Readable.from([csv]), { map: (value: string) => value });
  const rows: string[][] = [];
  sheet.eachRow({ includeEmpty: true }, (row) => {
    // The first of the values is always empty: columns count from 1.
    rows.push((row.values as (string | null | undefined)[]).slice(1).map((value) => value ?? ''));
  });
  return rows;
}
