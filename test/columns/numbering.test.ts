import { assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isNumbering } from '../../src/columns/numbering.ts';

describe('the numbers of columns', () => {
  test.each([
    '1;2;3;4;5',
    '(1);(2);(3)',
    '[1];[2];[3]',
    '1.;2.;3.',
    '1;2;3;4;5 = 3 x 4',
    '0;1;2;3',
    ';2;3;4',
    '1;;3;4',
    '1;;2;3',
    'A;B;C;D',
    ' 1 ; 2 ; 3 ',
  ])('%s', (row) => expect(isNumbering(row.split(';'))).toBe(true));

  test.each([
    '1;2',
    '1;2;4',
    '2;3;4',
    '3;2;1',
    '1;1;1',
    'BOSCH;2;3',
    '1;2;3;x',
    'B;C;D',
    '',
    '01;02;04',
    '986;987;988',
  ])('not %s', (row) => expect(isNumbering(row.split(';'))).toBe(false));

  test('however many there are', () => {
    assert(
      property(integer({ min: 3, max: 200 }), (count) => {
        expect(isNumbering(Array.from({ length: count }, (_, at) => `${at + 1}`))).toBe(true);
      }),
    );
  });
});
