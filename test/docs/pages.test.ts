import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Pages that are read from above; a longer one is divided by what the reader wants to do. */
const PAGES = ['operations.md', 'outcomes.md', 'recovery.md', 'recipes.md'];
const MOST_WORDS = 3000;

test('README.md is read in some minutes', () => {
  expect(wordsOf('README.md')).toBeLessThanOrEqual(900);
});

test.each(PAGES)('docs/%s is short enough to be read from above', (page) => {
  expect(wordsOf(`docs/${page}`)).toBeLessThanOrEqual(MOST_WORDS);
});

function wordsOf(file: string): number {
  return readFileSync(file, 'utf8').trim().split(/\s+/).length;
}
