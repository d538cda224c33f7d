import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countValues, parseLossless } from '../../../src/service/http/lossless-json.ts';

test('integers beyond 2^53 keep every digit, smaller ones stay numbers', () => {
  const text = '{"id":9007199254740993,"least":-9223372036854775808,"lines":9007199254740991,"share":0.5}';
  expect(parseLossless(text)).toEqual({
    id: '9007199254740993',
    least: '-9223372036854775808',
    lines: 9_007_199_254_740_991,
    share: 0.5,
  });
});

test('digits inside texts are left alone', () => {
  expect(parseLossless('["9007199254740993", "a:9007199254740993,"]')).toEqual([
    '9007199254740993',
    'a:9007199254740993,',
  ]);
});

test('every int64 survives', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (id) => {
      expect(String(parseLossless(`[${id}]`))).toBe(String(id));
    }),
  );
});

test('everything that JSON.parse reads is read the same, but for large integers', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      fc.pre(!/\d{16}/.test(text) && !/e\+/i.test(text));
      expect(parseLossless(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('values are counted by the signs between them, which in texts are none', () => {
  expect(countValues('{"data":[{"a":1,"b":"x"},{"a":2,"b":"y"}]}')).toBe(7);
  expect(countValues('["a,b[c{d\\",e","f"]')).toBe(2);
  expect(countValues('"without end')).toBe(0);
});
