import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listedNames, meaningsOf } from '../../../src/columns/column-names.ts';
import { columnNamesTable } from '../../../src/validate/patterns/column-names-table.ts';

const table = columnNamesTable();

const PART_BYTES = 8192;

/** Whether letters are in one of the four parts of the table: beginnings of five letters, shorter ones, whole names, endings. */
function has(part: 0 | 1 | 2 | 3, letters: string): boolean {
  let hash = 0x811c9dc5;
  for (const letter of letters) hash = Math.imul(hash ^ codeOf(letter), 0x01000193);
  const bit = (hash ^ (hash >>> 16)) & 0xffff;
  return ((table[part * PART_BYTES + (bit >> 3)]! >> (bit & 7)) & 1) === 1;
}

const MOST = 5;

/** Latin letters count from 1, all others as they are in Unicode. */
function codeOf(letter: string): number {
  const code = letter.charCodeAt(0);
  return /[a-z]/.test(letter) ? code - 96 : code;
}

/** A Cyrillic letter without the marks that Unicode takes off. */
function unmarked(text: string): string {
  return text.normalize('NFKD').replaceAll(/[\u0300-\u036f]/g, '');
}

/** What a kernel looks up of a text in small letters: how each word goes on, and how it ends. */
function mayName(written: string): boolean {
  const words = unmarked(written)
    .split(/[^a-z\u0430-\u045f]+/)
    .filter((word) => word !== '');
  return words.some((word, at) => {
    const onwards = words.slice(at).join('');
    const ends = words.slice(at).map((_, more) => words.slice(at, at + more + 1).join('').length);
    const sizes = [1, 2, 3, 4].filter((size) => size <= onwards.length);
    const starts =
      has(0, onwards.slice(0, MOST).padEnd(MOST, '?')) ||
      sizes.some((size) => has(1, onwards.slice(0, size)) || (ends.includes(size) && has(2, onwards.slice(0, size))));
    const reversed = Array.from(word).toReversed().join('');
    return starts || [1, 2, 3, 4, 5].some((size) => size <= word.length && has(3, reversed.slice(0, size)));
  });
}

test('whatever names a column begins or ends with letters of the table', () => {
  const { whole, beginnings, endings } = listedNames();
  const names = [...whole, ...beginnings, ...endings].filter((name) => /^[a-z\u0430-\u045f]+$/.test(name));
  const piece = fc.oneof(
    fc.constantFrom(...names),
    fc.string({ unit: fc.constantFrom(...'abcdekmnoqrxабвгдклнойіє'.split('')), minLength: 1, maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), fc.constantFrom(' ', '-', '', '/'), (pieces, mark) => {
      const text = pieces.join(mark);
      fc.pre(meaningsOf(text).length > 0);
      expect([text, mayName(text)]).toEqual([text, true]);
    }),
    { numRuns: 5000 },
  );
});

/** What a kernel looks up of a text as a whole: its Latin and Cyrillic letters and its digits, with the last digits and without. */
function mayBeWhole(text: string): boolean {
  const key = Array.from(unmarked(text.toLowerCase()))
    .filter((letter) => /[a-z0-9\u0430-\u045f]/.test(letter))
    .join('');
  return [key, key.replace(/\d+$/, '')].some((letters) => {
    let hash = 0x811c9dc5;
    for (const letter of letters) {
      hash = Math.imul(hash ^ codeOf(letter), 0x01000193);
    }
    const bit = (hash ^ (hash >>> 13)) & (PART_BYTES * 64 - 1);
    return ((table[4 * PART_BYTES + (bit >> 3)]! >> (bit & 7)) & 1) === 1;
  });
}

test('whatever names a column as a whole is in the table of whole names, and few other texts are', () => {
  const names = listedNames().whole.filter((name) => /^[a-z0-9\u0430-\u045f]+$/.test(name));
  const written = fc.tuple(fc.constantFrom(...names), fc.constantFrom('', ' ', '. '), fc.constantFrom('', '2', ' 10'));
  fc.assert(
    fc.property(written, fc.boolean(), ([name, mark, digits], isLoud) => {
      const text = `${(isLoud ? name.toUpperCase() : name).slice(0, 3)}${mark}${name.slice(3)}${digits}`;
      fc.pre(meaningsOf(text).some(({ whole }) => whole));
      expect([text, mayBeWhole(text)]).toEqual([text, true]);
    }),
    { numRuns: 3000 },
  );
  const others = fc.sample(fc.string({ unit: fc.constantFrom(...'бвгджзклмн'.split('')), minLength: 4 }), 1000);
  expect(others.filter(mayBeWhole).length).toBeLessThan(60);
});

test('most texts of random letters name nothing', () => {
  const texts = fc.sample(
    fc.string({ unit: fc.constantFrom(...'bcdfghjklmnpqrstvwxz'.split('')), minLength: 4, maxLength: 9 }),
    1000,
  );
  expect(texts.filter(mayName).length).toBeLessThan(150);
});
