import { expect, test } from 'vitest';
import { docPages } from '../../src/documentation/page.ts';
import { renderPage } from '../../src/documentation/render.ts';
import { searchDocs } from '../../src/documentation/search.ts';

test('a section is found by words of its heading and its text, the likeliest first', () => {
  const [first] = searchDocs('exit status');
  expect(first).toMatchObject({ page: 'reference/cli', heading: 'Exit status', anchor: 'exit-status' });
  expect(searchDocs('REDIS is AWAY').map(({ heading }) => heading)).toContain('Redis is away');
});

test('all words must be there, in any order', () => {
  const found = searchDocs('rollback freezes');
  expect(found.length).toBeGreaterThan(0);
  expect(searchDocs('freezes rollback')).toHaveLength(found.length);
  expect(searchDocs('rollback qwertz')).toEqual([]);
  expect(searchDocs('   ')).toEqual([]);
});

test('an excerpt has the first word that was looked for, without signs of Markdown', () => {
  for (const { text, heading, title } of searchDocs('maxRowDrop')) {
    expect(`${title} ${heading} ${text}`).toContain('maxRowDrop');
    expect(text).not.toMatch(/[`*|]/u);
  }
});

test('each section that is found has an anchor on its page', () => {
  for (const word of ['upload', 'feed', 'report', 'file']) {
    for (const { page, anchor } of searchDocs(word)) {
      const { markup } = renderPage(docPages().get(page)!, { page: String, picture: String });
      expect(markup).toContain(`id="${anchor}"`);
    }
  }
});
