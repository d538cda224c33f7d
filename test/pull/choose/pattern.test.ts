import { expect, test } from 'vitest';
import { choose } from '../../../src/pull/choose/choose.ts';
import { patternOf } from '../../../src/pull/choose/pattern.ts';

test.each([
  ['price_{yyyy-MM-dd}*.csv', 'price_2026-11-20.csv', Date.UTC(2026, 10, 20)],
  ['price_{yyyy-MM-dd}*.csv', 'PRICE_2026-11-20_full.CSV', Date.UTC(2026, 10, 20)],
  ['{ddMMyyyy}.{csv,zip}', '20112026.zip', Date.UTC(2026, 10, 20)],
  ['stock-{yyyyMMdd_HHmm}.txt', 'stock-20261120_0615.txt', Date.UTC(2026, 10, 20, 6, 15)],
  ['*_{dd.MM.yyyy}.csv', 'a_b_20.11.2026.csv', Date.UTC(2026, 10, 20)],
])('the pattern %s reads the date of %s', (pattern, name, date) => {
  expect(patternOf(pattern).matches(name)).toBe(true);
  expect(patternOf(pattern).dateOf(name)).toBe(date);
});

test('a day that no calendar has is no date', () => {
  expect(patternOf('{yyyy-MM-dd}.csv').dateOf('2026-02-31.csv')).toBeNull();
});

test('a pattern without a date leaves its braces to the alternatives', () => {
  expect(patternOf('*.{csv,zip}').matches('a.zip')).toBe(true);
  expect(patternOf('*.{csv,zip}').dateOf('2026-11-20.zip')).toBeNull();
});

test('a marker without an asterisk stands for the whole folder', () => {
  const files = ['a.csv', 'b.csv'].map((name) => ({ name, size: 1, mtimeMs: 1 }));
  const pattern = patternOf('*');
  expect(choose(files, { pattern, ready: 'READY' }).newest).toBeUndefined();
  const marked = choose([...files, { name: 'READY', size: 0, mtimeMs: 2 }], { pattern, ready: 'READY' });
  expect(marked.newest?.name).toBe('b.csv');
  expect(marked.older.map(({ name }) => name)).toEqual(['a.csv']);
});
