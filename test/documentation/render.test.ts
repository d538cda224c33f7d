import { parseDocument } from 'htmlparser2';
import { globSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { docPages, docPictures } from '../../src/documentation/page.ts';
import { renderPage, renderText } from '../../src/documentation/render.ts';
import { html } from '../../src/wording/html.ts';

const ADDRESSES = { page: (name: string) => `/docs/${name}`, picture: (name: string) => `/docs/pictures/${name}` };
const shown = (text: string, name = 'sources') => renderPage({ name, title: '', text }, ADDRESSES).markup;

/** The names of all elements and attributes of a piece of a page. */
function namesIn(markup: string): string[] {
  const names: string[] = [];
  const look = (node: { name?: string; attribs?: object; children?: unknown[] }) => {
    if (node.name !== undefined) names.push(node.name, ...Object.keys(node.attribs ?? {}));
    for (const child of node.children ?? []) look(child as typeof node);
  };
  look(parseDocument(markup));
  return names;
}

test('every page is shown, with the title of its first heading', () => {
  expect([...docPages().keys()].toSorted()).toEqual(
    globSync('**/*.md', { cwd: 'docs' })
      .map((file) => file.slice(0, -3))
      .toSorted(),
  );
  expect(docPages().get('operations')?.title).toBe('Operations');
});

test('no link of a shown page leads nowhere', () => {
  const lost = [...docPages().values()].flatMap((page) => {
    const markup = renderPage(page, ADDRESSES).markup;
    const links = [...markup.matchAll(/href="(\/docs\/[^"#]*)?#([^"]*)"/gu)];
    return links.filter(([, address, anchor]) => {
      const other = address === undefined ? page : docPages().get(address.slice('/docs/'.length))!;
      return !renderPage(other, ADDRESSES).markup.includes(`id="${anchor}"`);
    });
  });
  expect(lost.map(([whole]) => whole)).toEqual([]);
});

test.each([
  [
    'A list:\n\n- one `a`\n- **two**',
    '<p>A list:</p><ul><li>one <code>a</code></li><li><strong>two</strong></li></ul>',
  ],
  ['1. first\n2. second', '<ol><li>first</li><li>second</li></ol>'],
  ['> said', '<blockquote><p>said</p></blockquote>'],
  ['## A & B\n\n## A & B', '<h2 id="a--b">A &amp; B</h2><h2 id="a--b-1">A &amp; B</h2>'],
  ['[guards](operations.md#guards)', '<p><a href="/docs/operations#guards">guards</a></p>'],
  ['[code](../src/main.ts)', '<p>code</p>'],
  ['[web](https://example.com/)', '<p><a href="https://example.com/" rel="noreferrer">web</a></p>'],
])('%s', (text, expected) => {
  expect(shown(text).replaceAll(/\n/gu, '')).toBe(expected);
});

test('pages in folders lead to those beside and above them', () => {
  expect(shown('[a](002-dependencies.md) [b](../reference/cli.md)', 'decisions/001')).toBe(
    '<p><a href="/docs/decisions/002-dependencies">a</a> <a href="/docs/reference/cli">b</a></p>',
  );
});

test('a sentence is shown with its links', () => {
  const text = html`${renderText('see [issues.md](reference/issues.md) and `x<y`', ADDRESSES)}`.markup;
  expect(text).toBe('see <a href="/docs/reference/issues">issues.md</a> and <code>x&lt;y</code>');
});

test('pictures are those that there are', () => {
  expect(docPictures()).toContain('report.png');
  expect(shown('![A report](pictures/report.png) ![None](pictures/../../x.png)')).toContain(
    'src="/docs/pictures/report.png"',
  );
  expect(shown('![None](x.png)')).toBe('<p>None</p>');
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html,<script>)',
  '![x](x"onerror="alert(1))',
  '[x](https://e.example/"onclick="alert(1))',
  '`<script>`',
  '```html\n<script>alert(1)</script>\n```',
  '# <script>alert(1)</script>',
  '| a |\n| - |\n| <svg/onload=alert(1)> |',
  '<https://e.example/"><script>>',
  '&lt;script&gt;',
];

test('nothing that stands in a page becomes a script', () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string()), { maxLength: 6 })
    .map((all) => all.join('\n\n'));
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...HOSTILE), text), (page) => {
      const markup = shown(page);
      const names = namesIn(markup);
      expect(names.filter((name) => /^(?:script|svg|iframe|style|on.*)$/iu.test(name))).toEqual([]);
      expect(markup).not.toMatch(/(?:href|src)="(?!#|\/docs\/|https?:)/iu);
    }),
    { numRuns: 300 },
  );
});
