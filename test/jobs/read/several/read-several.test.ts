import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { withOriginalRows } from '../../../../src/jobs/read/original-rows.ts';
import { readFile, type ReadInput } from '../../../../src/jobs/read/read.ts';
import type { ReadSettings } from '../../../../src/config/schema/feed-settings.ts';
import type { CountedRows, RowRule, RuleField, RuleTest } from '../../../../src/model.ts';
import { plainSettings } from '../../../support/read-settings.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { rawZip } from '../../../support/raw-zip.ts';
import { HEADINGS } from '../../../../src/wording/columns/accepted-column.ts';
import { ruleColumnText, type RuleColumnProblem } from '../../../../src/wording/reasons/rule-reasons.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

type Files = Record<string, string | Buffer>;

function delivery(files: Files, settings: Partial<ReadSettings> = {}): ReadInput {
  const folder = tempFolder();
  const path = join(folder, 'delivery');
  writeFileSync(path, rawZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
  return { path, name: 'makers.zip', folder, settings: plainSettings({ entries: 'all', ...settings }) };
}

/** The accepted rows with the files and lines in which they stand, and the result. */
async function read(files: Files, settings: Partial<ReadSettings> = {}) {
  const result = await readFile(delivery(files, settings));
  const texts = result.validation === null ? [] : linesOf(result.rowsPath);
  const { parts } = result.detection;
  const rows = texts.map((text) => {
    const [line, ...cells] = text.split('\t');
    const part = parts.findLast((one) => one.line <= Number(line));
    const at = part === undefined ? line : `${part.file}:${Number(line) - part.line + 1}`;
    return `${at} ${cells.join('|')}`;
  });
  const issues = result.validation === null ? [] : linesOf(result.issuesPath);
  return { result, rows, issues: issues.map((text) => JSON.parse(text) as Record<string, unknown>) };
}

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}

async function refusal(files: Files, settings: Partial<ReadSettings> = {}): Promise<string> {
  const error: unknown = await readFile(delivery(files, settings)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'file-rejected' });
  return (error as Error).message;
}

test('files of several makers are read as one list, each in its own charset, delimiter and order of columns', async () => {
  const { result, rows, issues } = await read({
    'ate.csv': 'brand;oem;name\r\nATE;13.0460-2782.2;Disc\r\nATE;;no number\r\nATE;24.0110-0234.1;Pad\r\n',
    'bosch.txt': iconv.encode(
      'Прайс-лист на сегодня\nАртикул\tПроизводитель\tНаименование\n0986424797\tBOSCH\tКолодки тормозные передние\n0986494104\tBOSCH\tКолодки тормозные задние\n',
      'windows-1251',
    ),
    'skf.csv': 'oem,brand\n"VKBA 3643",SKF\n13.0460-2782.2,Ate\n',
  });
  expect(rows).toEqual([
    'ate.csv:2 ATE|13.0460-2782.2|Disc|',
    'ate.csv:4 ATE|24.0110-0234.1|Pad|',
    'bosch.txt:3 BOSCH|0986424797|Колодки тормозные передние|',
    'bosch.txt:4 BOSCH|0986494104|Колодки тормозные задние|',
    'skf.csv:2 SKF|VKBA 3643||',
  ]);
  expect(result.validation).toMatchObject({
    outcome: 'accepted',
    counts: { read: 7, accepted: 5, rejectedLocally: 1, duplicates: 1 },
    files: [
      { file: 'ate.csv', read: 3, accepted: 2, rejectedLocally: 1, duplicates: 0, skipped: 0 },
      { file: 'bosch.txt', read: 2, accepted: 2, rejectedLocally: 0, duplicates: 0, skipped: 1 },
      { file: 'skf.csv', read: 2, accepted: 1, rejectedLocally: 0, duplicates: 1, skipped: 0 },
    ],
    skipped: [
      { kind: 'preamble', rows: 1, examples: [{ file: 'bosch.txt', line: 1, value: 'Прайс-лист на сегодня' }] },
    ],
  });
  expect(result).toMatchObject({ name: 'makers.zip', unsure: null, detection: { format: 'files', header: true } });
  expect(issues).toMatchObject([
    { code: 'oem-empty', file: 'ate.csv', sheet: null, line: 3, cells: ['ATE', '', 'no number'] },
    { code: 'duplicate', file: 'skf.csv', line: 3, cells: ['Ate', '13.0460-2782.2', ''] },
    { code: 'file-lacks-column', severity: 'warning', file: 'skf.csv', line: null, column: 'name' },
  ]);
  expect(issues[1]!['message']).toContain('line 2 of "ate.csv"');
});

test('a workbook among them is read by its sheet', async () => {
  const book = new exceljs.Workbook();
  book.addWorksheet('Preise').addRows([
    ['Hersteller', 'Artikelnummer'],
    ['MANN', 'W 712'],
    ['MANN', ''],
    ['MANN', 'W 713'],
  ]);
  const { rows, issues, result } = await read({
    'ate.csv': 'brand;oem\nATE;1\nATE;2\n',
    'mann.xlsx': Buffer.from(await book.xlsx.writeBuffer()),
  });
  expect(rows).toEqual([
    'ate.csv:2 ATE|1||',
    'ate.csv:3 ATE|2||',
    'mann.xlsx:2 MANN|W 712||',
    'mann.xlsx:4 MANN|W 713||',
  ]);
  expect(issues).toMatchObject([{ code: 'oem-empty', file: 'mann.xlsx', sheet: 'Preise', line: 3 }]);
  expect(result.detection.parts).toMatchObject([
    { file: 'ate.csv', sheet: null, line: 1 },
    { file: 'mann.xlsx', sheet: 'Preise' },
  ]);
});

test('a part that was packed twice is told row by row', async () => {
  const list = 'brand;oem\nATE;1\nATE;2\n';
  const { result, issues } = await read({ 'a.csv': list, 'a (1).csv': list });
  expect(result.validation?.files).toMatchObject([
    { file: 'a (1).csv', accepted: 2, duplicates: 0 },
    { file: 'a.csv', accepted: 0, duplicates: 2 },
  ]);
  expect(issues).toMatchObject([
    { code: 'duplicate', file: 'a.csv', line: 2 },
    { code: 'duplicate', file: 'a.csv', line: 3 },
  ]);
  expect(issues[1]!['message']).toContain('line 3 of "a (1).csv"');
});

test('rows with too few or too many cells are counted by their own file', async () => {
  const { issues } = await read({
    'a.csv': 'brand;oem;name;stock\nATE;1;Disc;4\nATE;2\n',
    'b.csv': 'oem;brand\n3;ATE\n4\n5;ATE;more\n"6;ATE\n',
  });
  expect(issues.map(({ file, line, message }) => `${String(file)}:${String(line)} ${String(message)}`)).toEqual([
    expect.stringMatching(/^a\.csv:3 .*2 cells.* 4/),
    expect.stringMatching(/^b\.csv:3 .*1 cell.* 2/),
    expect.stringMatching(/^b\.csv:4 .*3 cells.* 2/),
    expect.stringMatching(/^b\.csv:5 .*quote/),
    expect.stringMatching(/^b\.csv:null .*"name"/),
  ]);
});

test('brands in headings of one file are not those of the next', async () => {
  const { columns } = plainSettings();
  const fromHeadings = columns.map((column) =>
    Object.assign({}, column, column.key === 'brand' ? { position: HEADINGS } : {}),
  );
  const files = {
    'a.csv': 'oem;name\nATE;\n13.0460-2782.2;Disc\nBOSCH;\n0986424797;Pad\n0986424798;Pad\n0986424799;Pad\n',
    'b.csv': 'oem;name\nSKF;\nVKBA3643;Bearing\nVKBA3644;Bearing\nVKBA3645;Bearing\nVKBA3646;Bearing\n',
    'c.csv': 'oem;name\n0986424700;no brand above\nATE;\n0986424701;Pad\n',
  };
  const { rows } = await read(files, { columns: fromHeadings });
  expect(rows.filter((text) => text.startsWith('c.csv'))).toEqual(['c.csv:4 ATE|0986424701|Pad|']);
  expect(rows).toContain('b.csv:3 SKF|VKBA3643|Bearing|');
  expect(rows).toContain('a.csv:5 BOSCH|0986424797|Pad|');
});

test('nothing is taken when a file lacks a column that each row needs', async () => {
  const files = { 'ate.csv': 'brand;oem\nATE;1\nATE;2\n', 'skf.csv': 'oem;price\nVKBA 3643;12.50\nVKBA 3644;13.50\n' };
  expect(await refusal(files)).toBe(
    'In makers.zip: skf.csv has no column for brand, which other files of the delivery have (its columns: "oem", "price"), so nothing of ' +
      'it was taken. Name its column under feeds.NAME.columns.brand, or ask the supplier for this file again.',
  );
});

test('a delivery is held when one of its files lacks a column that rules ask for', async () => {
  const leaveOut = (field: RuleField, asks: RuleTest): RowRule[] => [
    { name: 'gone', when: { field, asks }, does: 'leave-out' },
  ];
  const noStock = leaveOut('stock', { test: 'below', value: 1 });
  const used = leaveOut({ column: 'Zustand' }, { test: 'in', values: ['used'] });
  const files = {
    'a.csv': 'brand;oem;Bestand;Zustand\nATE;1;0;new\nATE;2;5;used\n',
    'b.csv': 'oem;brand;Menge verfügbar\n3;ATE;0\n4;ATE;0\n',
  };
  const problem = { rule: 'gone', isMissing: true, file: 'b.csv', found: expect.any(Array) };
  const { result } = await read(files, { rules: noStock });
  expect(result).toMatchObject({ unsure: 'rules', validation: null, reason: { ...problem, column: 'stock' } });
  expect(ruleColumnText(result.reason as RuleColumnProblem, 'north')).toBe(
    'The rule "gone" asks for the column of stock, which "b.csv" does not have, unlike others of its delivery. Its columns: ' +
      '"oem" (column 1), "brand" (column 2), "Menge verfügbar" (column 3). Ask the supplier for it in each file, under one name, or switch ' +
      'the rule off for this feed with { name: "gone", off: true }',
  );
  const ofColumn = await read(files, { rules: used });
  expect(ofColumn.result).toMatchObject({ unsure: 'rules', reason: { ...problem, column: 'Zustand', isSeen: false } });
  const byPlace = await read(files, { rules: leaveOut({ column: '4' }, { test: 'in', values: ['used'] }) });
  expect(byPlace.result).toMatchObject({ unsure: 'rules', reason: { ...problem, column: '4' } });

  const whole = { ...files, 'b.csv': 'oem;Zustand;brand;BESTAND\n3;used;ATE;4\n4;new;ATE;0\n5;new;ATE;7\n' };
  expect((await read(whole, { rules: noStock })).rows).toEqual([
    'a.csv:3 ATE|2||',
    'b.csv:2 ATE|3||',
    'b.csv:4 ATE|5||',
  ]);
  expect((await read(whole, { rules: used })).rows).toEqual(['a.csv:2 ATE|1||', 'b.csv:3 ATE|4||', 'b.csv:4 ATE|5||']);
});

test('nothing is taken when a file cannot be read for certain, and it is named', async () => {
  const { result } = await read({
    'ate.csv': 'brand;oem;name\nATE;1;Disc\n',
    'odd.csv': iconv.encode('brand;oem;name\nATE;1;Ф\n', 'windows-1251'),
  });
  expect(result).toMatchObject({ unsure: 'dialect', name: 'odd.csv', validation: null });
  expect(result.reason).toMatch(/^In odd\.csv: It is not certain how the file is written/);
});

test('one file that fits is read as if it were the only one', async () => {
  const files = { 'ate.csv': 'brand;oem\nATE;1\n', 'readme.txt': 'Good day.' };
  const result = await readFile(delivery(files, { entries: ['*.csv'] }));
  expect(result).toMatchObject({ name: 'ate.csv', detection: { format: 'text' }, validation: { files: null } });
});

test('the supplier’s own rows are found again', async () => {
  const input = delivery(
    { 'notes.txt': 'Good day.', 'a.csv': 'brand;oem\nATE;1\nATE;2\n', 'b.csv': 'oem;brand\n3;ATE\n4;ATE\n' },
    { entries: ['*.csv'] },
  );
  const { detection, name: entry, rowsPath } = await readFile(input);
  const lines = linesOf(rowsPath).map((text) => Number(text.split('\t')[0]));
  const again = { ...input, folder: tempFolder(), entry, detection, lines, settings: plainSettings() };
  const found = await withOriginalRows(again, async ({ rows }) => {
    const all: string[][] = [];
    for await (const { cells } of rows) all.push(cells);
    return all;
  });
  expect(found).toEqual([
    ['ATE', '1'],
    ['ATE', '2'],
    ['ATE', '3'],
    ['ATE', '4'],
  ]);
});

test('a list in parts is read as the whole list is, whatever the order of their columns', async () => {
  const cell = (values: string[]) => fc.constantFrom(...values);
  const row = fc.record({
    brand: cell(['ATE', 'BOSCH', 'SKF', '', 'n/a']),
    oem: cell(['13.0460-2782.2', '0986424797', 'VKBA 3643', '', '1,2E+05', '0 986 424 797']),
    name: cell(['Disc', 'Brake "pad"', 'a;b', '', 'two\nlines']),
  });
  const parts = fc.array(
    fc.record({
      order: fc.shuffledSubarray(['brand', 'oem', 'name'] as const, { minLength: 3 }),
      rows: fc.array(row, { minLength: 1, maxLength: 8 }),
    }),
    { minLength: 2, maxLength: 4 },
  );
  const csv = (order: readonly ('brand' | 'oem' | 'name')[], rows: Record<'brand' | 'oem' | 'name', string>[]) =>
    [Object.fromEntries(order.map((key) => [key, key])) as Record<'brand' | 'oem' | 'name', string>, ...rows]
      .map((one) => `${order.map((key) => `"${one[key].replaceAll('"', '""')}"`).join(';')}\n`)
      .join('');
  const settings = { charset: 'utf-8', delimiter: ';', header: true };
  await fc.assert(
    fc.asyncProperty(parts, async (lists) => {
      const files = Object.fromEntries(lists.map(({ order, rows }, at) => [`part-${at}.csv`, csv(order, rows)]));
      const several = await read(files, settings);
      const all = lists.flatMap(({ rows }) => rows);
      const whole = await read({ 'whole.csv': csv(['brand', 'oem', 'name'], all) }, settings);
      // What nobody can be sure of is asked about.
      fc.pre(several.result.validation !== null && whole.result.validation !== null);
      const cellsOf = ({ rows }: typeof several) => rows.map((text) => text.slice(text.indexOf(' ')));
      expect(cellsOf(several)).toEqual(cellsOf(whole));
      const { counts, files: byFile } = several.result.validation;
      expect(counts).toEqual(whole.result.validation.counts);
      for (const key of Object.keys(counts) as (keyof CountedRows)[])
        expect(byFile!.reduce((sum, one) => sum + one[key], 0)).toBe(counts[key]);
    }),
    { numRuns: repetitions(30) },
  );
});

test('a short file is read in the charset of the others', async () => {
  const rows = ['Колодки тормозные передние', 'Фильтр масляный', 'Диск тормозной', 'Свеча зажигания', 'Амортизатор'];
  const list = `brand;oem;name\n${rows.map((name, at) => `ATE;1${at};${name}\n`).join('')}`;
  const { rows: found } = await read({
    'a.csv': iconv.encode(list, 'windows-1251'),
    'b.csv': iconv.encode('brand;oem;name\nATE;99;Ф\n', 'windows-1251'),
  });
  expect(found).toContain('b.csv:2 ATE|99|Ф|');
});

test('more parts than the beginnings of many small files let expect are read all the same', async () => {
  // Each file ends with a long row, by which its rows look few.
  const files = Array.from({ length: 64 }, (_, at) => {
    const rows = Array.from({ length: 400 }, (_row, number) => `ATE,${at}-${number + 1000},\n`).join('');
    return [`part-${at}.csv`, `brand,oem,name\n${rows}ATE,${at}-5,${'y'.repeat(8000)}\n`];
  });
  const { result } = await read(Object.fromEntries(files) as Files);
  expect(result.validation?.counts).toMatchObject({ read: 64 * 401, accepted: 64 * 401 });
});
