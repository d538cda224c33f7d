import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, string, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { readFile } from '../../src/jobs/read/read.ts';
import type { Issue } from '../../src/model.ts';
import { plainSettings } from '../support/read-settings.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { CONVERSIONS, type Conversion, type List } from './conversions.ts';
import { repetitions } from '../support/repetitions.ts';

/** What checks find in rows that suppliers send: each kind of mistake, and cells that formats write in ways of their own. */
const LIST: List = [
  ['brand', 'oem', 'name', 'price', 'tags'],
  ['BOSCH', '0 986 424 797', 'Brake pads "front" & rear', '12.50', 'brakes,front'],
  ['MANN-FILTER', '0000123', 'Фильтр <масляный>; 5 шт', '1 234,50', ''],
  ['ATE', '13.0460-2782.2', "d'Ö Ø 5 µm", '7', 'a,b,a'],
  ['', '4047024', 'A row without a brand', '', ''],
  ['VALEO', '', 'A row without a number', '1', ''],
  ['SACHS', '1.0E+10', 'A number that a spreadsheet shortened', '', ''],
  ['LUK', '#N/A', 'A formula that failed', '', ''],
  ['TRW', '01.03.2026', 'A number that became a date', '', ''],
  ['BOSCH', '0986424797', 'The first part again', '', ''],
  ['FEBI', '18446744073709551617', 'Digits of a long number', '', ''],
  ['NGK', 'BKR6E-11', 'Too many tags', '', Array.from({ length: 25 }, (_, at) => `t${at}`).join(',')],
  ['ЛУКОЙЛ', '=1+1', 'A formula in place of a number', '', ''],
  ['KYB', '333114', '  blanks around  ', '', ''],
  ['GATES', 'TRUE', 'A\u00A0no-break space', '', ''],
  ['SKF', 'VKBA 6649', 'Two\nlines', '', 'x'],
];

/** The rows that are accepted, and all issues, each with its line as in a text. */
async function readAs({ bytes, settings, isRecords = false }: Conversion, list: List) {
  const folder = tempFolder();
  const path = join(folder, 'delivery');
  writeFileSync(path, await bytes(list));
  const columns = plainSettings().columns.map((column) =>
    Object.assign({}, column, { names: [...column.names, `@${column.key}`] }),
  );
  const result = await readFile({ path, name: 'list', folder, settings: plainSettings({ columns, ...settings }) });
  expect(result.reason).toBeNull();
  const issues = readFileSync(result.issuesPath, 'utf8').split('\n').filter(Boolean);
  const rows = readFileSync(result.rowsPath, 'utf8').split('\n').filter(Boolean);
  const asLine = (line: string | number) => Number(line) + (isRecords ? 1 : 0);
  return {
    counts: result.validation?.counts,
    rows: rows.map((row) => row.replace(/^\d+/, (line) => String(asLine(line)))),
    issues: issues.map((text) => {
      const issue = JSON.parse(text) as Issue;
      const message = issue.message.replaceAll(/(?<=in line )\d+/g, (at) => String(asLine(at)));
      return Object.assign(issue, { sheet: null, line: asLine(issue.line!), message });
    }),
  };
}

const names = Object.keys(CONVERSIONS);

test.each(names.slice(1))('%s has the rows and issues of the CSV', async (name) => {
  expect(await readAs(CONVERSIONS[name]!, LIST)).toEqual(await readAs(CONVERSIONS[names[0]!]!, LIST));
});

/** Cells of several lines, as a person writes them with Alt and Enter. */
const LINES: List = [
  ['brand', 'oem', 'name', 'price', 'tags'],
  ['BOSCH', 'A00037\nB00091', 'Brake\npads', '1', 'new\nfront'],
  ['BOSCH', 'A00038', 'Brake disc', '2', 'new'],
  ['ATE', 'C00039\nD00040\nE00041', 'Brake disc', '3', 'rear\nleft side'],
];

test.each(names)('%s has numbers and tags on lines of their own', async (name) => {
  const { settings, ...conversion } = CONVERSIONS[name]!;
  const marks = { tagMark: '\n', numbers: { separators: ['\n'], take: 'each' as const } };
  const { counts, rows } = await readAs({ ...conversion, settings: { ...settings, ...marks } }, LINES);
  expect(counts).toMatchObject({ read: 3, expanded: 3, accepted: 6 });
  expect(rows.map((row) => row.split('\t').slice(1))).toEqual([
    ['BOSCH', 'A00037', 'Brake pads', 'new,front'],
    ['BOSCH', 'B00091', 'Brake pads', 'new,front'],
    ['BOSCH', 'A00038', 'Brake disc', 'new'],
    ['ATE', 'C00039', 'Brake disc', 'rear,left side'],
    ['ATE', 'D00040', 'Brake disc', 'rear,left side'],
    ['ATE', 'E00041', 'Brake disc', 'rear,left side'],
  ]);
});

const word = string({ unit: constantFrom(...Array.from('aZ09éФ中"<>&\'=+-./;,#()')), maxLength: 8 });
const cell = array(word, { maxLength: 3 }).map((words) => words.filter((one) => one !== '').join(' '));
/** Records have no blank rows, which are counted where they are. */
const row = tuple(constantFrom('BOSCH', 'ATE', 'Lemförder', 'ЛУКОЙЛ', ''), cell, cell, cell, cell).filter((cells) =>
  cells.some((one) => one !== ''),
);

test('whatever stands in the cells, formats agree', async () => {
  await assert(
    asyncProperty(array(row, { maxLength: 6 }), async (rows) => {
      const list = [...LIST.slice(0, 4), ...rows];
      const answers = [];
      for (const conversion of Object.values(CONVERSIONS)) {
        // Marks between tags and numbers that nobody has named would be asked about.
        const marks = { tagMark: ',', numbers: { separators: [], take: 'whole' as const } };
        const settings = { charset: 'utf-8', header: 1, ...marks, ...conversion.settings };
        answers.push(await readAs({ ...conversion, settings }, list));
      }
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    }),
    { numRuns: repetitions(8) },
  );
}, 60_000);
