import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReadSettings } from '../../../src/config/schema/feed-settings.ts';
import { readFile } from '../../../src/jobs/read/read.ts';
import { verdictOn } from '../../../src/jobs/read/verdict.ts';
import { plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Reads a list of a header and rows; accepted ones are shown with blanks for tabs. */
async function read(lines: string[], settings: Partial<ReadSettings> = {}) {
  const folder = tempFolder();
  const path = join(folder, 'delivery');
  writeFileSync(path, `${lines.join('\n')}\n`);
  const result = await readFile({ path, name: 'list.csv', folder, settings: plainSettings(settings) });
  const isRead = result.validation !== null && result.validation.counts.accepted > 0;
  const rows = isRead ? readFileSync(result.rowsPath, 'utf8').split('\n').slice(0, -1) : [];
  return { result, verdict: verdictOn(result), rows: rows.map((row) => row.replaceAll('\t', ' ')) };
}

const padded = (at: number) => String(at * 37).padStart(5, '0');
const SEVERAL = [
  'brand;oem;name',
  ...Array.from({ length: 20 }, (_, at) => `BOSCH;A${padded(at)},B${padded(at * 3)};Hose`),
];

test('a file whose cells hold several numbers is held with the setting that says what they mean', async () => {
  const { result, verdict } = await read(SEVERAL);
  expect(verdict).toEqual({ outcome: 'held', cause: 'cells' });
  expect(result.reason).toEqual({
    kind: 'numbers',
    marks: [','],
    column: null,
    evidence: '20 of 20 cells have several whole numbers',
    example: { sheet: null, line: 2, value: 'A00000,B00000' },
  });
});

test.each([
  ['each', 40],
  ['first', 20],
  ['whole', 20],
] as const)('it is read as soon as that is set: %s', async (take, accepted) => {
  const { result, verdict } = await read(SEVERAL, { numbers: { separators: [','], take } });
  expect(verdict.outcome).toBe('accepted');
  expect(result.validation?.counts).toMatchObject({ read: 20, expanded: accepted - 20, accepted });
});

test('numbers that hold such marks are read as they are', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => `VAG;1K0 698 ${padded(at)}/A;Pads`);
  const { verdict, rows: accepted } = await read(['brand;oem;name', ...rows]);
  expect(verdict.outcome).toBe('accepted');
  expect(accepted[1]).toBe('3 VAG 1K0 698 00037/A Pads ');
});

test('the mark between tags is found, and stands beside the column', async () => {
  const { result, rows } = await read(['brand;oem;name;tags', 'ATE;1;Pad;new|sale', 'ATE;2;Pad;eu|new']);
  expect(rows[0]).toBe('2 ATE 1 Pad new,sale');
  expect(result.detection.mapping.find(({ key }) => key === 'tags')?.evidence).toBe(
    '"tags" is a known name of this column; "|" stands between tags: it stands in 2 of 2 filled cells',
  );
});

test('two marks between tags that fit are asked about, unless one is set', async () => {
  const lines = [
    'brand;oem;name;tags',
    'ATE;1;Pad;new|sale',
    'ATE;2;Pad;new,sale',
    'ATE;3;Pad;eu|new',
    'ATE;4;Pad;eu,sale',
  ];
  expect(await read(lines)).toMatchObject({
    verdict: { cause: 'cells' },
    result: { reason: { kind: 'tags', marks: ['|', ','] } },
  });
  expect((await read(lines, { tagMark: '|', tagSeparator: ';' })).rows[1]).toBe('3 ATE 2 Pad new,sale');
});

const TOGETHER = [
  'BOSCH 0986424797',
  'MANN-FILTER W 712/75',
  'FEBI BILSTEIN 12345',
  'ATE 13.0460-7117.2',
  'HELLA 8DB 355 008-591',
];

test('brand and number in one cell are asked about where there is no column of brands', async () => {
  const lines = ['Artikel;Name', ...TOGETHER.map((cell) => `${cell};Pads`)];
  expect(await read(lines)).toMatchObject({
    verdict: { cause: 'cells' },
    result: { reason: { kind: 'brand-number', column: 'Artikel', example: { line: 2, value: TOGETHER[0] } } },
  });
  const { columns } = plainSettings();
  columns.find(({ key }) => key === 'oem')!.names.push('Artikel');
  const { rows } = await read([...lines, 'Nonsuch 77;Pads', 'Artikel;Name'], { columns, split: 'brand-number' });
  expect(rows.map((row) => row.replace(/^\d+ /, ''))).toEqual([
    'BOSCH 0986424797 Pads ',
    'MANN-FILTER W 712/75 Pads ',
    'FEBI BILSTEIN 12345 Pads ',
    'ATE 13.0460-7117.2 Pads ',
    'HELLA 8DB 355 008-591 Pads ',
    'Nonsuch 77 Pads ',
  ]);
});

test('a name behind the number is asked about where there is no column of names', async () => {
  const cells = [
    '0 986 424 797 Bremsbelag',
    'W 712/75 Ölfilter',
    '12345 Lenker',
    '13.0460-7117.2 Bremsbeläge vorne',
    '1K0 698 151 A Satz',
  ];
  const lines = ['Marke;Artikelnummer', ...cells.map((cell) => `BOSCH;${cell}`)];
  expect(await read(lines)).toMatchObject({ result: { reason: { kind: 'number-name', column: null } } });
  const { result } = await read(lines, { split: 'number-name' });
  expect(readFileSync(result.rowsPath, 'utf8').split('\n')[4]).toBe('6\tBOSCH\t1K0 698 151 A\tSatz\t');
});

test('codes behind numbers are no names', async () => {
  const rows = ['W 712 KIT', '12345 OE', 'A 1 B', '0986 BP', '77 A', '78 LH'].map((number) => `BOSCH;${number}`);
  expect((await read(['Marke;Artikelnummer', ...rows])).verdict.outcome).toBe('accepted');
});
