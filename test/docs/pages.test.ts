import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Pages that are read from above; a longer one is divided by what the reader wants to do. */
const PAGES = ['operations.md', 'outcomes.md', 'recovery.md'];
const MOST_WORDS = 3000;

test.each(PAGES)('docs/%s is short enough to be read from above', (page) => {
  expect(readFileSync(`docs/${page}`, 'utf8').split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS);
});
