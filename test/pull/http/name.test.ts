import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameOf } from '../../../src/pull/http/name.ts';

const page = new URL('https://example.com/files/%D0%BF%D1%80%D0%B0%D0%B9%D1%81.csv?key=1');
const latin1 = (text: string) => Buffer.from(text).toString('latin1');

test.each([
  [undefined, 'прайс.csv'],
  ['attachment', 'прайс.csv'],
  ['attachment; filename="prices 1.csv"', 'prices 1.csv'],
  ['attachment; filename=prices.csv', 'prices.csv'],
  ['attachment; FileName="a \\"b\\".csv"; size=3', 'a "b".csv'],
  [`attachment; filename="${latin1('прайс.zip')}"`, 'прайс.zip'],
  ['attachment; filename="x.csv"; filename*=UTF-8\'\'%D0%BF.csv', 'п.csv'],
  ["attachment; filename*=windows-1251''%EF.csv; filename=x.csv", 'п.csv'],
  ["attachment; filename=x.csv; filename*=nonsense''%EF.csv", 'x.csv'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ['attachment; filename="C:\\\\Export\\\\prices.csv"', 'prices.csv'],
  ['attachment; filename="..\u0085.a\tb"', 'ab'],
  ['attachment; filename=""', 'прайс.csv'],
])('%s is named %s', (disposition, name) => {
  expect(nameOf(page, disposition)).toBe(name);
});

test('an address without a name gives "download", a long name keeps its extension', () => {
  expect(nameOf(new URL('https://example.com/'), undefined)).toBe('download');
  expect(nameOf(new URL(`https://example.com/${'a'.repeat(500)}.csv.zip`), undefined)).toMatch(/^a{196}\.zip$/);
});

test('whatever a server says, the name is one that can be shown and kept', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, quoted) => {
      const name = nameOf(page, `attachment; filename=${quoted ? JSON.stringify(text) : text}`);
      expect(name).toMatch(/^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u);
      expect(name.length).toBeLessThanOrEqual(200);
    }),
  );
});
