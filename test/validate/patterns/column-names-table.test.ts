import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listedNames, meaningsOf } from '../../../src/columns/column-names.ts';
import { columnNamesTable } from '../../../src/validate/patterns/column-names-table.ts';

const table = columnNamesTable();

/** Whether three letters are in one half of the table; a grave accent stands for none. */
function has(half: 0 | 1, three: string): boolean {
  const bit = three.split('').reduce((sum, letter) => sum * 27 + letter.charCodeAt(0) - 96, 0);
  return ((table[(half * table.length) / 2 + (bit >> 3)]! >> (bit & 7)) & 1) === 1;
}

/** What a kernel looks up of a text in small letters: how each word goes on, and how it ends. */
function mayName(text: string): boolean {
  const words = text.split(/[^a-z]+/).filter((word) => word !== '');
  return words.some((word, at) => {
    const onwards = words.slice(at).join('');
    return has(0, onwards.slice(0, 3).padEnd(3, '`')) || has(1, word.slice(-3).padStart(3, '`'));
  });
}

test('whatever names a column begins or ends with letters of the table', () => {
  const { whole, beginnings, endings } = listedNames();
  const names = [...whole, ...beginnings, ...endings].filter((name) => /^[a-z]+$/.test(name));
  const piece = fc.oneof(
    fc.constantFrom(...names),
    fc.string({ unit: fc.constantFrom(...'abcdekmnoqrx'.split('')), minLength: 1, maxLength: 6 }),
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

test('most texts of random letters name nothing', () => {
  const texts = fc.sample(
    fc.string({ unit: fc.constantFrom(...'bcdfghjklmnpqrstvwxz'.split('')), minLength: 4, maxLength: 9 }),
    1000,
  );
  expect(texts.filter(mayName).length).toBeLessThan(500);
});
