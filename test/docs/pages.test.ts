import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A longer page is divided by what its reader wants to do; what is looked up stands in docs/reference. */
const MOST_WORDS = 3000;

test('README.md is read in some minutes', () => {
  expect(wordsOf('README.md')).toBeLessThanOrEqual(900);
});

test.each(globSync('docs/*.md'))('%s is short enough to be read from above', (page) => {
  expect(wordsOf(page)).toBeLessThanOrEqual(MOST_WORDS);
});

/** Wider tables can only be read in a browser; what would need one is a list. */
const WIDEST_TABLE = 120;

test.each(globSync(['*.md', 'docs/*.md', 'docs/decisions/*.md', 'docs/reference/*.md']))(
  '%s has no table that is too wide to be read as it is',
  (page) => {
    const rows = readFileSync(page, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.filter((row) => row.length > WIDEST_TABLE)).toEqual([]);
  },
);

function wordsOf(file: string): number {
  return readFileSync(file, 'utf8').trim().split(/\s+/).length;
}
