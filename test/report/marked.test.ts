import { expect, test } from 'vitest';
import type { Detection } from '../../src/model.ts';
import { collectFaults } from '../../src/report/marked/faults.ts';
import { columnMeant, kindOfRefusal } from '../../src/report/marked/refusals.ts';
import { markedSheets } from '../../src/report/marked/sheets.ts';
import type { ReportInput, StoredIssue, StoredRejection } from '../../src/report/input.ts';
import type { WrittenRow } from '../../src/tables/write-xlsx/sheet-part.ts';
import { openLanguage } from '../../src/wording/language/language.ts';
import { runAnswer } from '../support/answers.ts';
import { dialect } from '../support/read-settings.ts';
import { rejectedRow, reportInput, rowIssue } from './report-input.ts';

const LIST: Detection = { ...dialect({ columns: ['Marke', 'Nummer', 'Tags'] }), header: true, headerLine: 1 };

const ENGLISH = openLanguage('en');

function input(issues: StoredIssue[], rejections: StoredRejection[] = []): ReportInput {
  return reportInput(runAnswer({ mapping: [] }), { issues, rejections });
}

/** The sheets with the rows of these lines, each of them two cells. */
async function sheetsOf(given: ReportInput, lines: number[], detection = LIST, cut = false, language = 'en') {
  const faults = await collectFaults(given, detection, openLanguage(language));
  async function* rows() {
    for (const line of lines) yield { line, cells: [`brand ${line}`, `number ${line}`] };
  }
  const sheets = markedSheets({
    name: 'list.csv',
    read: 100,
    sandbox: false,
    language,
    detection,
    faults,
    rows: rows(),
    cut: () => cut,
  });
  const written: { name: string; rows: WrittenRow[] }[] = [];
  for (const { name, rows: all } of [...sheets.slice(1), sheets[0]!]) {
    const found: WrittenRow[] = [];
    for await (const row of all) found.push(row);
    written.push({ name, rows: found });
  }
  return written;
}

test('a row is marked once for each cell, with all that is wrong with it', async () => {
  const issues = [
    rowIssue({ line: 7, code: 'too-many-tags', column: 'tags' }),
    rowIssue({ line: 7, code: 'undecodable', column: 'tags' }),
    rowIssue({ line: 7, code: 'mojibake', column: 'brand', severity: 'warning' }),
  ];
  const [rows] = await sheetsOf(input(issues), [7]);
  const [, row] = rows!.rows;
  expect(row!.marks.map(({ column, look }) => [column, look])).toEqual([
    [0, 'warning'],
    [2, 'error'],
  ]);
  expect(row!.marks[1]!.comment).toBe(
    'There are more tags than the 20 that are allowed.\nKeep at most 20 of them.\n\n' +
      'Some characters are damaged and cannot be read.\nWrite them again, or export the list as UTF-8.\n\n' +
      'Line 7 of your file',
  );
});

test('what is wrong with a whole row colours all of it', async () => {
  const [rows] = await sheetsOf(input([rowIssue({ line: 7, code: 'wrong-cell-count', column: null })]), [7]);
  expect(rows!.rows[1]).toMatchObject({ look: 'error', marks: [{ column: 0, look: 'error' }] });
});

test('what is wrong with the header is marked there, what is wrong with the file stands on the first sheet', async () => {
  const issues = [
    rowIssue({ line: 1, code: 'column-missing', column: 'oem', message: 'The column is missing.' }),
    rowIssue({ line: null, code: 'mostly-skipped', column: null }),
    rowIssue({ line: 1, code: 'structure-changed', column: null, severity: 'warning' }),
  ];
  const [rows, first] = await sheetsOf(input(issues), []);
  expect(rows!.rows).toHaveLength(1);
  expect(rows!.rows[0]).toMatchObject({ cells: LIST.columns, look: 'head', marks: [{ look: 'error' }] });
  expect(first!.rows.flatMap(({ cells }) => cells[0] ?? [])).toContain('Most lines have a single filled cell.');
  expect(JSON.stringify(first)).not.toContain('structure');
});

test('rows of several sheets stand on sheets of their own', async () => {
  const parts = [
    { sheet: 'Brakes', line: 1 },
    { sheet: 'Filters', line: 101 },
  ];
  const issues = [rowIssue({ sheet: 'Filters', line: 4 }), rowIssue({ sheet: 'Brakes', line: 7 })];
  const [brakes, filters] = await sheetsOf(input(issues), [7, 104], { ...LIST, format: 'xlsx', parts });
  expect(brakes).toMatchObject({ name: 'Brakes', rows: [{ look: 'head' }, { cells: ['brand 7', 'number 7'] }] });
  expect(filters).toMatchObject({ name: 'Filters', rows: [{ look: 'head' }, { cells: ['brand 104', 'number 104'] }] });
  expect(filters!.rows[1]!.marks[0]!.comment).toContain('Row 4 of the sheet Filters');
});

test('where there are too many, rows that are lost go before doubtful ones', async () => {
  const issues = [
    ...[2, 3, 4].map((line) => rowIssue({ line, severity: 'warning', code: 'mojibake' })),
    ...[5, 6].map((line) => rowIssue({ line })),
  ];
  const faults = await collectFaults(input(issues, [rejectedRow({ line: 9 })]), LIST, ENGLISH, 4);
  expect(faults.faults.map(({ line }) => line)).toEqual([2, 5, 6, 9]);
  expect(faults).toMatchObject({ rows: 6, cut: true });
  expect(faults.causes.map(({ rows }) => rows)).toEqual([2, 1, 3]);
});

test('the first sheet says what is cut, and which rows were not found again', async () => {
  const issues = [2, 3, 4].map((line) => rowIssue({ line }));
  const cut = (await sheetsOf(input(issues), [2, 3], LIST, true)).at(-1)!;
  expect(cut.rows[4]!.cells).toEqual(['More rows have mistakes; only the first 2 are shown here.']);
  const missing = (await sheetsOf(input(issues), [2, 4])).at(-1)!;
  expect(missing.rows[4]!.cells).toEqual(['1 row could not be found again in your file and is not shown.']);
});

test('kinds of mistakes have an end, however hostile the service', async () => {
  const words = (at: number) => String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26));
  const many = Array.from({ length: 300 }, (_, at) =>
    rejectedRow({ line: at + 2, message: words(at), brand: null, oem: null }),
  );
  const { causes } = await collectFaults(input([], many), LIST, ENGLISH);
  expect(causes).toHaveLength(101);
  expect(causes.at(-1)).toMatchObject({ cause: 'Other mistakes', rows: 200 });
});

test('rejections that fit several rows mark none', async () => {
  const { faults } = await collectFaults(input([], [rejectedRow({ match: 'ambiguous' })]), LIST, ENGLISH);
  expect(faults).toEqual([]);
});

test.each([
  ['Unknown brand: NO NAME', 'brand'],
  ['The article number has characters that are not allowed: X#1', 'oem'],
  ['21 tags, at most 20 are allowed', 'tags'],
  ['Brand and article number do not fit', null],
  ['Unbekannt: NO NAME', 'brand'],
  ['Row refused', null],
])('%s is about the column %s', (message, column) => {
  const part = { brand: 'NO NAME', oem: 'X#1' };
  expect(columnMeant(message, part, ['brand', 'oem', 'name', 'tags'])).toBe(column);
});

test('refusals that differ in their values are one kind', () => {
  const kind = (message: string, brand: string, oem: string) => kindOfRefusal({ message, brand, oem });
  expect(kind('Unknown brand: FOO', 'FOO', '1')).toBe(kind('Unknown brand: BAR', 'BAR', '22'));
  expect(kind('21 tags, at most 20', 'A', '1')).toBe(kind('35 tags, at most 20', 'B', '2'));
  expect(kind('The name "x" is odd', 'A', '1')).toBe(kind('The name "yy" is odd', 'B', '2'));
});

test.each([
  ['de', 'Die Marke fehlt.', 'Tragen Sie den Hersteller des Teils ein.', 'Zeile 2 Ihrer Datei'],
  ['pl', 'Brakuje marki.', 'Wpisz producenta części.', 'Wiersz 2 Państwa pliku'],
  ['ru', 'Не указан бренд.', 'Укажите производителя детали.', 'Строка 2 вашего файла'],
])('in %s every sentence of ours is of that language', async (language, cause, remedy, place) => {
  const issues = [rowIssue({ code: 'brand-empty', column: 'brand', line: 2, message: 'The brand is empty.' })];
  const [list, first] = await sheetsOf(input(issues), [2], LIST, false, language);
  expect(list!.rows.flatMap(({ marks }) => marks).map(({ comment }) => comment)).toEqual([
    `${cause}\n${remedy}\n\n${place}`,
  ]);
  expect(first!.rows.flatMap(({ cells }) => cells).join('\n')).not.toMatch(/\b(?:the|your|rows|line)\b/i);
});
