import { expect, test } from 'vitest';
import { cellsSettings, markName, unsureCellsText } from '../../../src/wording/columns/unsure-cells.ts';

const NUMBERS = {
  kind: 'numbers' as const,
  marks: [','],
  column: null,
  evidence: '48 of 50 cells have several whole numbers',
  example: { sheet: null, line: 12, value: 'A00037,B00091' },
};

test('says where an example is, and the setting for each answer', () => {
  expect(unsureCellsText(NUMBERS, 'north')).toBe(
    'Cells hold several article numbers, such as "A00037,B00091" (line 12): 48 of 50 cells have several whole numbers. To make an offer of each ' +
      'number, write `numbers: { separator: ",", take: each }` under feeds.north; `first` in place of `each` takes the first number alone, and `whole` ' +
      'leaves the cells as they are',
  );
  const tags = { ...NUMBERS, kind: 'tags' as const, marks: ['|', ' '], evidence: 'a cell has 25 words' };
  expect(unsureCellsText(tags)).toContain('"|" or a blank (a cell has 25 words).');
  expect(unsureCellsText(tags)).toContain('`tags: { separator: "|" }` under feeds.NAME if it is "|"');
});

test('names the column where a setting has to say which it is', () => {
  const split = { ...NUMBERS, kind: 'brand-number' as const, column: 'Teil' };
  expect(cellsSettings(split)).toEqual(['columns: { oem: ["Teil"] }', 'numbers: { split: brand-number }']);
  expect(cellsSettings({ ...split, column: 2 })[0]).toBe('columns: { oem: 2 }');
  expect(cellsSettings({ ...split, column: null })).toEqual(['numbers: { split: brand-number }']);
  expect(unsureCellsText({ ...split, kind: 'number-name' })).toContain('There is no column of names');
});

test('several marks are a list', () => {
  expect(cellsSettings({ ...NUMBERS, marks: [',', '/'] })).toEqual(['numbers: { separator: [",", "/"], take: each }']);
});

test('a mark that cannot be seen has a name', () => {
  expect([',', ' ', '\n'].map(markName)).toEqual(['","', 'a blank', 'a line break']);
});
