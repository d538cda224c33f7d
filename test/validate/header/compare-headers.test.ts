import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareHeaders } from '../../../src/validate/header/compare-headers.ts';

const HEADER = ['Marke', 'Nr', 'Preis', 'Lager'];

test.each<[now: string[], changes: string | null]>([
  [['marke ', ' NR', 'Preis', 'Lager', ''], null],
  [['Hersteller', 'Nr', 'Preis', 'Lager'], '"Marke" is now "Hersteller"'],
  [['Marke', 'Nr', 'EAN', 'Preis', 'Lager'], 'new: "EAN"'],
  [['Marke', 'Nr', 'Lager'], 'gone: "Preis"'],
  [['Nr', 'Marke', 'Preis', 'Lager'], 'moved: "Nr"'],
  [['Nr', 'Preis', 'Lager', 'Marke'], 'moved: "Marke"'],
  [['Marke', 'Artikel', 'Lager', 'EAN'], 'new: "Artikel", "EAN"; gone: "Nr", "Preis"'],
  [['Marke', 'Nr', 'Preis', 'Preis', 'Lager'], 'new: "Preis"'],
  [[], 'the header is missing'],
])('%j', (now, changes) => {
  expect(compareHeaders(HEADER, now)).toBe(changes);
});

test('a header where there was none, and none where there was none', () => {
  expect(compareHeaders([], HEADER)).toContain('there is a header');
  expect(compareHeaders([], [])).toBeNull();
});

test('of a long list the first are named', () => {
  const now = [...HEADER, ...Array.from({ length: 20 }, (_, at) => `Spalte ${at}`)];
  expect(compareHeaders(HEADER, now)).toMatch(/^new: "Spalte 0".*"Spalte 7" and 12 more$/);
});

const header = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', ''), { maxLength: 7 });

test('headers differ when the names or their order do, either way round', () => {
  fc.assert(
    fc.property(header, header, (before, now) => {
      const names = (cells: string[]) => cells.filter((cell) => cell !== '').join();
      const same = names(before) === names(now);
      expect(compareHeaders(before, now) === null).toBe(same);
      expect(compareHeaders(now, before) === null).toBe(same);
    }),
  );
});
