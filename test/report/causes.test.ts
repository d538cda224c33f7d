import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDemand } from '../../src/parts/demand.ts';
import { groupCauses } from '../../src/report/causes.ts';
import type { StoredIssue, StoredRejection } from '../../src/report/input.ts';
import { runAnswer } from '../support/answers.ts';
import { rejectedRow, reportInput, rowIssue } from './report-input.ts';

function causesOf(issues: StoredIssue[], rejections: StoredRejection[] = []) {
  return groupCauses(reportInput(runAnswer(), { issues, rejections }));
}

test('601 rejections of one cause are one cause, with its brands and its first three rows', async () => {
  const rejections = Array.from({ length: 601 }, (_, at) =>
    rejectedRow({ line: at + 2, oem: `N-${at}`, brand: at < 600 ? 'ATE' : 'TRW', message: `part N-${at} is unknown` }),
  );
  expect(await causesOf([], rejections)).toEqual([
    {
      code: null,
      column: null,
      text: 'part … is unknown',
      by: 'service',
      severity: 'error',
      rows: 601,
      brands: [
        { brand: 'ATE', rows: 600 },
        { brand: 'TRW', rows: 1 },
      ],
      moreBrands: 0,
      examples: [2, 3, 4].map((line) => ({ sheet: null, line, brand: 'ATE', oem: `N-${line - 2}`, value: null })),
    },
  ]);
});

test.each([
  ['unknown brand ATE', 'unknown brand …'],
  ['Part "13.0460" of ATE (line 12) has no article', 'Part … of … (line …) has no article'],
  ['brand LATEX is unknown', 'brand LATEX is unknown'],
  ['Бренд «Лемфёрдер» не найден', 'Бренд … не найден'],
  ['Don’t use the maker’s name', 'Don’t use the maker’s name'],
  ['no such brand: ate', 'no such brand: …'],
  ['13.0460', '…'],
])('of “%s” without its values is left “%s”', async (message, text) => {
  expect(await causesOf([], [rejectedRow({ message })])).toMatchObject([{ text }]);
});

test('a brand that is a word of the sentence is taken out where it stands as the brand', async () => {
  const rejections = [rejectedRow({ brand: 'UNKNOWN', message: 'Unknown brand: UNKNOWN' })];
  expect(await causesOf([], rejections)).toMatchObject([{ text: 'Unknown brand: …' }]);
});

test('no value of a row is left in its words, whatever a service says', async () => {
  const said = fc.array(fc.oneof(fc.constantFrom('ATE', '13.0460', '"x"', 'is', 'no', '(', '…', 'İ'), fc.string()));
  await fc.assert(
    fc.asyncProperty(said, async (words) => {
      const [cause] = await causesOf([], [rejectedRow({ message: words.join(' ') })]);
      expect(cause?.text).not.toMatch(/\d|(?<![\p{L}\p{N}])ATE(?![\p{L}\p{N}])/u);
    }),
  );
});

test('of a service with codes the words of the first row stay, without its values', async () => {
  const rejections = [
    rejectedRow({ code: 'E7', message: 'Unknown brand: ATE', brand: 'ATE' }),
    rejectedRow({ code: 'E7', message: 'No brand', line: 11 }),
  ];
  expect(await causesOf([], rejections)).toMatchObject([{ code: 'E7', text: 'Unknown brand: …', rows: 2 }]);
});

test('a code and a column make a cause, and the words of a service with codes do not tell causes apart', async () => {
  const issues = [
    rowIssue({ line: 2 }),
    rowIssue({ line: 3, column: 'oem', code: 'too-long' }),
    rowIssue({ line: 4, column: 'name', code: 'too-long' }),
    rowIssue({ line: 5 }),
  ];
  const rejections = [
    rejectedRow({ code: 'E7', message: 'brand ATE is unknown' }),
    rejectedRow({ code: 'E7', line: 11, message: 'no brand ATE' }),
  ];
  const causes = await causesOf(issues, rejections);
  expect(causes[0]?.text).toBe('brand … is unknown');
  expect(causes.map(({ code, column, by, rows }) => [code, column, by, rows])).toEqual([
    ['E7', null, 'service', 2],
    ['too-many-tags', 'tags', 'us', 2],
    ['too-long', 'name', 'us', 1],
    ['too-long', 'oem', 'us', 1],
  ]);
});

test('a row with the same issue twice is one row; what costs rows stands before doubts, the whole file before rows', async () => {
  const doubts = Array.from({ length: 9 }, (_, at) => rowIssue({ code: 'mojibake', severity: 'warning', line: at }));
  const file = rowIssue({ code: 'column-missing', line: 1, cells: [] });
  const causes = await causesOf([...doubts, rowIssue(), rowIssue(), file]);
  expect(causes.map(({ code, rows }) => [code, rows])).toEqual([
    ['column-missing', 0],
    ['too-many-tags', 1],
    ['mojibake', 9],
  ]);
});

test('brands are one however they are spelled; the most frequent are named, the others counted', async () => {
  const brands = ['Mann-Filter', 'MANN FILTER', ...'a b c d e f g'.split(' ')].map((brand) => [brand, 'P1', '']);
  const [cause] = await causesOf(brands.map((cells, at) => rowIssue({ line: at + 2, cells })));
  expect(cause).toMatchObject({ rows: 9, moreBrands: 3 });
  expect(cause?.brands).toHaveLength(5);
  expect(cause?.brands[0]).toEqual({ brand: 'Mann-Filter', rows: 2 });
});

test('a service that words every rejection anew does not fill the memory', async () => {
  const word = (at: number) => String(at).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
  const rejections = Array.from({ length: 3000 }, (_, at) => rejectedRow({ line: at + 2, message: word(at) }));
  const causes = await causesOf([], rejections);
  expect(causes).toHaveLength(501);
  expect(causes[0]).toMatchObject({ code: null, text: null, rows: 2500 });
});

test('the examples of a cause are the rows in most demand', async () => {
  const parts = [4, 2, 1, 2].map((saleCategory, at) => ({ brand: 'ATE', oem: `N-${at + 10}`, saleCategory }));
  const rejections = Array.from({ length: 30 }, (_, at) => rejectedRow({ line: at + 2, oem: `N-${at}` }));
  const demand = createDemand({ look: 'look', parts });
  const [cause] = await groupCauses(reportInput(runAnswer(), { rejections, demand }));
  expect(cause?.examples.map(({ oem, demand: wanted }) => [oem, wanted])).toEqual([
    ['N-12', 1],
    ['N-11', 2],
    ['N-13', 2],
  ]);
});
