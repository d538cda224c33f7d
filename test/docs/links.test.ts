import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const pages = globSync('**/*.md', { exclude: (path) => /(^|\/)(node_modules|dist|\.offerline)$/.test(path) });

test('the documentation has no broken links', () => {
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.flatMap(brokenLinks)).toEqual([]);
});

test('every page of docs can be reached from another page', () => {
  const linked = new Set(pages.flatMap((page) => linksOf(page).map(({ file }) => file)));
  expect(pages.filter((page) => page.startsWith('docs/') && !linked.has(page))).toEqual([]);
});

function brokenLinks(page: string): string[] {
  return linksOf(page)
    .filter(({ file, anchor }) => !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor)))
    .map(({ link }) => `${page}: ${link}`);
}

/** Links to files of the repository; a link without a file means the page itself. */
function linksOf(page: string): { link: string; file: string; anchor: string | undefined }[] {
  const text = withoutCode(readFileSync(page, 'utf8'));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? page : relative('.', join(dirname(page), path));
      return { link, file, anchor };
    });
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = [...withoutCode(readFileSync(page, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[^]*?^```/gm, '');
}
