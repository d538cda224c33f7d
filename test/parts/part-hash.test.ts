import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashKey, hashPart } from '../../src/parts/part-hash.ts';
import { partKey } from '../../src/parts/part-key.ts';

const ascii = fc.string({ unit: 'binary-ascii', maxLength: 12 }).map((text) => text.replaceAll('\0', ''));

function hashOf(brand: string, oem: string) {
  const bytes = Buffer.from(`7\t${brand}${oem}`);
  const start = 2 + Buffer.byteLength(brand);
  const into = { high: 0, low: 0 };
  const place = { brand: 2, brandEnd: start, oem: start, oemEnd: bytes.length };
  return hashPart(bytes, place, into) ? into : null;
}

test('a part in bytes has the hash of its key', () => {
  fc.assert(
    fc.property(ascii, ascii, (brand, oem) => {
      const expected = { high: 0, low: 0 };
      hashKey(partKey(brand, oem), expected);
      expect(hashOf(brand, oem)).toEqual(expected);
    }),
  );
});

test.each([
  ['letters beyond ASCII', 'ЛАДА', '1'],
  ['a wide space', 'ATE', '1\u00a02'],
  ['a zero byte', 'ATE\0', '1'],
  ['a very long number', 'ATE', '1'.repeat(5000)],
])('%s: left to partKey', (_what, brand, oem) => {
  expect(hashOf(brand, oem)).toBeNull();
});
