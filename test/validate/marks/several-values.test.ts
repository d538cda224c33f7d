import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReadSettings } from '../../../src/config/schema/feed-settings.ts';
import type { CellMarks, Wraps } from '../../../src/model.ts';
import { validate } from '../../../src/validate/validate.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Reads rows of brand, number, name and tags; accepted ones are shown with blanks for tabs. */
async function read(
  rows: string[],
  settings: Partial<ReadSettings>,
  marks?: CellMarks,
  wraps: Wraps = { backslashes: false, columns: [] },
) {
  const folder = tempFolder();
  const [path, rowsPath, issuesPath] = [join(folder, 'file'), join(folder, 'rows'), join(folder, 'issues')];
  await writeFile(path, `brand;oem;name;tags\n${rows.join('\n')}\n`);
  const columns = ['brand', 'oem', 'name', 'tags'];
  const detection = dialect({ columns, wraps, ...(marks === undefined ? {} : { marks }) });
  const result = await validate({ path, detection, settings: plainSettings(settings), rowsPath, issuesPath });
  const accepted = (await readFile(rowsPath, 'utf8')).split('\n').slice(0, -1);
  return { ...result, rows: accepted.map((row) => row.replaceAll('\t', ' ')) };
}

const EACH: ReadSettings['numbers'] = { separators: [','], take: 'each' };
const BARS: CellMarks = {
  tags: { separator: '|', rival: null, example: { line: 2, text: 'a|b' }, evidence: '' },
  numbers: null,
  split: null,
};
const WATCHED: CellMarks = {
  tags: null,
  numbers: { separators: [], example: null, evidence: '', watched: [',', '/', '\n'], shapes: ['A99999'] },
  split: null,
};

test('each number of a cell becomes an offer of its row, and the account says how many more', async () => {
  const result = await read(['ATE;A00037, B00091;Hose;a', 'ATE;C00007;Pad;b'], { numbers: EACH });
  expect(result.rows).toEqual(['2 ATE A00037 Hose a', '2 ATE B00091 Hose a', '3 ATE C00007 Pad b']);
  expect(result.counts).toEqual({
    read: 2,
    expanded: 1,
    accepted: 3,
    rejectedLocally: 0,
    duplicates: 0,
    leftOut: 0,
    skipped: 0,
  });
});

test.each([
  ['="A00037,B00091"', null],
  ['"=""A00037,B00091"""', null],
  ['[A00037,B00091]', ['[', ']'] as [string, string]],
])('each number of %s becomes an offer, without what stands around all of them', async (cell, pair) => {
  const columns = pair === null ? [] : [{ position: 2, apostrophe: false, decimals: null, pair }];
  const result = await read([`ATE;${cell};Hose;a`], { numbers: EACH }, undefined, { backslashes: false, columns });
  expect(result.rows).toEqual(['2 ATE A00037 Hose a', '2 ATE B00091 Hose a']);
  expect(result.issues).toEqual({ 'values-unwrapped': 1 });
  expect(result.sample[0]?.message).toMatch(/^In the column "oem" 1 value /);
});

test('a number that an earlier row has is a duplicate, the others of its cell are not', async () => {
  const result = await read(['ATE;A00037;Hose;', 'ATE;A00037,B00091;Hose;'], { numbers: EACH });
  expect(result.counts).toMatchObject({ read: 2, expanded: 1, accepted: 2, duplicates: 1 });
});

test('a row that is rejected for another cell is one row', async () => {
  const result = await read([';A00037,B00091;Hose;', 'ATE;C00007;;'], { numbers: EACH });
  expect(result.counts).toMatchObject({ read: 2, expanded: 0, accepted: 1, rejectedLocally: 1 });
  expect(result.issues).toEqual({ 'brand-empty': 1 });
});

test('a damaged number costs itself, not the others of its cell', async () => {
  const rows = ['ATE;A00037,#REF!;Hose;', 'ATE;A1,B2;#REF!;', 'ATE;A3,n/a;Hose;', 'ATE;A4,front;Hose;'];
  const result = await read(rows, { numbers: EACH });
  expect(result.counts).toMatchObject({ read: 4, expanded: 3, accepted: 4 });
  expect(result.issues).toEqual({ 'spreadsheet-error': 2, 'placeholder-value': 1, 'several-numbers': 1 });
  expect(result.sample.at(-1)?.message).toBe(
    'Beside the marks of the cell stands "front", which looks like no article number, so the row is dropped. Write the numbers alone.',
  );
});

test('only the first number is taken, or the cell is one number, where the settings say so', async () => {
  const row = ['ATE;A00037,B00091;Hose;'];
  expect((await read(row, { numbers: { separators: [','], take: 'first' } })).rows).toEqual(['2 ATE A00037 Hose ']);
  expect((await read(row, { numbers: { separators: [], take: 'whole' } }, WATCHED)).rows).toEqual([
    '2 ATE A00037,B00091 Hose ',
  ]);
});

test('where nobody has said, a cell with several numbers costs its row, with the setting that says what it means', async () => {
  const rows = ['ATE;A00037,A00091;Hose;', 'ATE;A00001/A00002;Hose;', 'ATE;1K0 698 151/A;Hose;', 'ATE;12/34;Pad;'];
  const result = await read(rows, {}, WATCHED);
  expect(result.rows).toEqual(['4 ATE 1K0 698 151/A Hose ', '5 ATE 12/34 Pad ']);
  expect(result.sample).toMatchObject([
    { code: 'several-numbers', severity: 'error', line: 2, column: 'oem', value: 'A00037,A00091' },
    { code: 'several-numbers', line: 3 },
  ]);
  expect(result.sample[0]?.message).toContain('set feeds.NAME.numbers: { separator: ",", take: each }');
});

test('the mark that was found between tags becomes that of the uploaded file', async () => {
  const result = await read(['ATE;1;Hose;new|sale||new| eu'], {}, BARS);
  expect(result.rows).toEqual(['2 ATE 1 Hose new,sale,eu']);
});

test('what the settings say goes before what was found', async () => {
  const result = await read(['ATE;1;Hose;new sale'], { tagMark: ' ' }, BARS);
  expect(result.rows).toEqual(['2 ATE 1 Hose new,sale']);
});

test('the limit counts the tags that the service will count', async () => {
  const tags = Array.from({ length: 25 }, (_, at) => `t${at}`).join('|');
  const result = await read([`ATE;1;Hose;${tags}`, `ATE;2;Hose;${'a|'.repeat(25)}`], {}, BARS);
  expect(result.sample.slice(0, 1)).toMatchObject([{ code: 'too-many-tags', line: 2, column: 'tags' }]);
  expect(result.issues).toEqual({ 'too-many-tags': 1, 'tags-dropped': 1 });
  expect(result.rows).toEqual(['3 ATE 2 Hose a']);
});

test('a tag that would become two is said and left out', async () => {
  const result = await read(['ATE;1;Hose;left, front|new'], {}, BARS);
  expect(result.rows).toEqual(['2 ATE 1 Hose new']);
  expect(result.sample).toMatchObject([{ code: 'tag-with-separator', severity: 'warning', line: 2, column: 'tags' }]);
  expect(result.sample[0]?.message).toContain('The tag "left, front" contains ","');
});

test('line breaks stand between tags where they are the mark', async () => {
  const result = await read(['ATE;1;"Hose\nlong";"new\n\nsale, old\r\neu"'], { tagMark: '\n', tagSeparator: '|' });
  expect(result.rows).toEqual(['2 ATE 1 Hose long new|sale, old|eu']);
});

test('empty and repeated tags are left out, which is said once for the column', async () => {
  const result = await read(
    ['ATE;1;Hose;new,,sale', 'ATE;2;Hose;new,new', 'ATE;3;Hose;,', 'ATE;4;Hose;new, eu', 'ATE;5;Hose;'],
    {},
  );
  expect(result.rows.map((row) => row.split(' ').at(-1))).toEqual(['new,sale', 'new', '', 'new,eu', '']);
  expect(result.sample).toMatchObject([
    {
      code: 'tags-dropped',
      severity: 'info',
      line: 1,
      message: 'In the column "tags" 3 values had empty or repeated tags. The other tags are uploaded.',
    },
  ]);
});
