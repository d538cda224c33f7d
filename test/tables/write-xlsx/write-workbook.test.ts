import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as sheetJs from '@e965/xlsx';
import exceljs from 'exceljs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sheetNames } from '../../../src/tables/write-xlsx/sheet-names.ts';
import type { WrittenRow, WrittenSheet } from '../../../src/tables/write-xlsx/sheet-part.ts';
import { writeWorkbook } from '../../../src/tables/write-xlsx/write-workbook.ts';
import { openXlsx } from '../../../src/tables/xlsx/open-xlsx.ts';
import { noteOf } from '../../support/marked-book.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { LIMITS } from '../xlsx/made-workbook.ts';
import { repetitions } from '../../support/repetitions.ts';

const ROWS: WrittenRow[] = [
  { cells: ['Marke', 'Artikel', 'Preis'], look: 'head', marks: [] },
  {
    cells: ['BOSCH', '0986424797', '12,50'],
    look: 'plain',
    marks: [{ column: 1, look: 'error', comment: 'Line 2 of your file.\n<b>Wrong & "odd"</b>' }],
  },
  { cells: ['=HYPERLINK("http://x")', '-5', '2026-03-01'], look: 'plain', marks: [] },
  { cells: ['ATE'], look: 'error', marks: [{ column: 3, look: 'warning', comment: 'An empty cell' }] },
];

test('two independent readers find texts, colours and comments', async () => {
  const path = await written([plain('Read me', [['Hello']]), { ...plain('Preise', []), commented: true, rows: ROWS }]);
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(path);
  expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Read me', 'Preise']);
  const sheet = workbook.getWorksheet('Preise')!;
  const cell = sheet.getCell('B2');
  expect(cell.type).toBe(exceljs.ValueType.String);
  expect(cell.text).toBe('0986424797');
  expect(cell.numFmt).toBe('@');
  expect(cell.fill).toMatchObject({ pattern: 'solid', fgColor: { argb: 'FFFFC7CE' } });
  expect(noteOf(cell)).toBe('Line 2 of your file.\n<b>Wrong & "odd"</b>');
  expect(sheet.getCell('A4').fill).toMatchObject({ fgColor: { argb: 'FFFFC7CE' } });
  expect(sheet.getCell('D4').fill).toMatchObject({ fgColor: { argb: 'FFFFEB9C' } });
  expect(noteOf(sheet.getCell('D4'))).toBe('An empty cell');
  expect(sheet.getCell('A2').fill).toMatchObject({ pattern: 'none' });
  expect(sheet.getCell('C99').numFmt).toBe('@');

  const other = sheetJs.read(readFileSync(path), { cellStyles: true });
  expect(other.Sheets['Preise']!['B2']).toMatchObject({ t: 's', v: '0986424797' });
  expect(other.Sheets['Preise']!['A3']).toMatchObject({ t: 's', v: '=HYPERLINK("http://x")' });
  expect(other.Sheets['Preise']!['A3'].f).toBeUndefined();
  expect(other.Sheets['Preise']!['B2'].c[0].t).toBe('Line 2 of your file.\n<b>Wrong & "odd"</b>');
});

test('what looks like a formula, a number or a date is text, also for whoever edits it', async () => {
  const path = await written([plain('List', [['=1+1', '+49 30', '-5', '@x', '00012', '1E5', '01.03.2026', 'TRUE']])]);
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(path);
  const row = workbook.getWorksheet('List')!.getRow(1);
  row.eachCell((cell) => expect([cell.type, cell.numFmt]).toEqual([exceljs.ValueType.String, '@']));
  const styles = await partOf(path, 'xl/styles.xml');
  expect(styles.match(/quotePrefix="1"/g)).toHaveLength(6);
  const sheet = await partOf(path, 'xl/worksheets/sheet1.xml');
  expect([...sheet.matchAll(/<c r="(\w+)" s="2"/g)].map(([, name]) => name)).toEqual(['A1', 'B1', 'C1', 'D1']);
});

test('any text comes back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 6 }), { maxLength: 5 }),
      async (rows) => {
        const path = await written([plain('List', rows)]);
        await using file = await openXlsx({
          path,
          name: 'list.xlsx',
          folder: tempFolder(),
          limits: LIMITS,
          records: null,
          charset: null,
        });
        const found: string[][] = [];
        for await (const batch of file.rows(0)) for (const { line, cells } of batch) found[line - 1] = cells;
        const shown = rows.map((cells) => cells.map((cell) => cell.toWellFormed()));
        for (const [at, cells] of shown.entries()) expect(found[at] ?? []).toEqual(trimmed(cells));
      },
    ),
    { numRuns: repetitions(25) },
  );
});

test('control characters, escapes of workbooks and halves of characters are spelled as spreadsheets do', async () => {
  const path = await written([plain('List', [['a\u0001b', '_x0041_', 'x\uD800y', '\u202Eabc']])]);
  const [row] = sheetJs.utils.sheet_to_json<string[]>(sheetJs.read(readFileSync(path)).Sheets['List']!, { header: 1 });
  expect(row).toEqual(['a\u0001b', '_x0041_', 'x\uFFFDy', '\u202Eabc']);
});

test('cells and rows that a sheet cannot hold are cut and counted', async () => {
  const path = join(tempFolder(), 'list.xlsx');
  const wide = Array.from({ length: 16_400 }, (_, at) => String(at));
  const cuts = await writeWorkbook(path, [plain('List', [['x'.repeat(40_000)], wide])], 'offerline');
  expect(cuts).toEqual({ cells: 1, columns: 1 });
  const [first, second] = sheetJs.utils.sheet_to_json<string[]>(sheetJs.read(readFileSync(path)).Sheets['List']!, {
    header: 1,
  });
  expect(first![0]).toHaveLength(32_767);
  expect(second!.filter((cell) => cell !== '')).toHaveLength(16_384);
});

test('rows that fail leave no file behind', async () => {
  const path = join(tempFolder(), 'list.xlsx');
  async function* rows(): AsyncGenerator<WrittenRow> {
    yield ROWS[0]!;
    await Promise.reject(new Error('the disk is gone'));
  }
  const sheets = [plain('One', []), { ...plain('Two', []), rows: rows() }];
  await expect(writeWorkbook(path, sheets, 'offerline')).rejects.toThrow('the disk is gone');
  expect(readdirSync(dirname(path))).toEqual([]);
});

test('comments of many cells on several sheets have shapes of their own', async () => {
  const rows = Array.from({ length: 1500 }, (_, at): WrittenRow => {
    return { cells: [String(at)], look: 'plain', marks: [{ column: 0, look: 'error', comment: `Row ${at}` }] };
  });
  const sheet = (name: string): WrittenSheet => ({ ...plain(name, []), commented: true, rows });
  const path = await written([sheet('One'), sheet('Two')]);
  const drawings = await Promise.all([1, 2].map((number) => partOf(path, `xl/drawings/vmlDrawing${number}.vml`)));
  expect(drawings.map((text) => /idmap v:ext="edit" data="([\d,]+)"/.exec(text)?.[1])).toEqual(['1,2', '3,4']);
  const ids = drawings.flatMap((text) =>
    [...text.matchAll(/<v:shape id="_x0000_s(\d+)"/g)].map(([, id]) => Number(id)),
  );
  expect(new Set(ids).size).toBe(3000);
  expect([ids[0], ids[1500]]).toEqual([1025, 3073]);
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(path);
  expect(noteOf(workbook.getWorksheet('Two')!.getCell('A1500'))).toBe('Row 1499');
});

test.each([
  [
    ['Preise', 'preise', 'PREISE'],
    ['Preise', 'preise (2)', 'PREISE (3)'],
  ],
  [['a/b\\c:d*e?f[g]'], ['a b c d e f g']],
  [
    ["'quoted'", 'History', '', '\u0000'],
    ['quoted', 'History_', 'Sheet3', 'Sheet4'],
  ],
  [
    ['x'.repeat(40), 'x'.repeat(50)],
    ['x'.repeat(31), `${'x'.repeat(27)} (2)`],
  ],
])('sheet names %j become %j', (wanted, names) => {
  expect(sheetNames(wanted)).toEqual(names);
});

test('any names become names that differ and fit', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 10 }), (wanted) => {
      const names = sheetNames(wanted);
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(wanted.length);
      for (const name of names) {
        expect(name).toMatch(/^(?!')[^[\]:*?/\\]{1,31}(?<!')$/u);
        expect(name.isWellFormed()).toBe(true);
      }
    }),
  );
});

function plain(name: string, cells: string[][]): WrittenSheet {
  const rows = cells.map((row): WrittenRow => ({ cells: row, look: 'plain', marks: [] }));
  return { name, widths: [20], frozen: 0, commented: false, rows };
}

async function written(sheets: WrittenSheet[]): Promise<string> {
  const path = join(tempFolder(), 'list.xlsx');
  await writeWorkbook(path, sheets, 'offerline');
  return path;
}

async function partOf(path: string, name: string): Promise<string> {
  const parts = sheetJs.read(readFileSync(path), { bookFiles: true }) as unknown as {
    files: Record<string, { content: Buffer }>;
  };
  return Buffer.from(parts.files[name]!.content).toString();
}

/** Rows end with their last filled cell. */
function trimmed(cells: string[]): string[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
}
