import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { issueDocs } from '../../../scripts/generate/issue-docs.ts';
import { ISSUES } from '../../../src/validate/issues/catalogue.ts';
import { createIssue } from '../../../src/validate/issues/create-issue.ts';

const root = join(import.meta.dirname, '../../..');

test('docs/reference/issues.md is up to date (npm run generate writes it)', () => {
  expect(readFileSync(join(root, 'docs/reference/issues.md'), 'utf8')).toBe(issueDocs());
});

/** Runs of earlier versions have them. */
const OF_EARLIER_VERSIONS = ['footer', 'repeated-header'];

test('every code of the catalogue is used, and only those', () => {
  const folder = join(root, 'src/validate');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('catalogue.ts'),
  );
  const source = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const direct = [...source.matchAll(/createIssue\(\s*'([a-z-]+)'/g)].map(([, code]) => code);
  const scanned = [...source.matchAll(/problem: '([a-z-]+)'/g)].map(([, code]) => code);
  expect(new Set([...direct, ...scanned, ...OF_EARLIER_VERSIONS])).toEqual(new Set(Object.keys(ISSUES)));
});

test('the codes that scripts depend on are there', () => {
  const codes = [
    'column-missing brand-empty oem-empty too-many-tags wrong-cell-count unclosed-quote undecodable duplicate',
    'scientific-notation mojibake control-character cell-too-long',
  ].join(' ');
  expect(Object.keys(ISSUES)).toEqual(expect.arrayContaining(codes.split(' ')));
});

test('a message has its facts filled in, a long value is cut', () => {
  const issue = createIssue(
    'cell-too-long',
    { line: 7, column: 'name', value: 'x'.repeat(500) },
    { count: 500, max: 9 },
  );
  expect(issue).toMatchObject({ code: 'cell-too-long', severity: 'error', line: 7, column: 'name' });
  expect(issue.message).toBe('The cell has 500 characters, but at most 9 (limits.cellLength) are allowed. Shorten it.');
  expect(issue.value).toBe(`${'x'.repeat(200)}…`);
});
