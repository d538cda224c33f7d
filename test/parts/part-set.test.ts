import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPartSet } from '../../src/parts/part-set.ts';
import { partKey } from '../../src/parts/part-key.ts';

test('the first line of a part is remembered', () => {
  const parts = createPartSet();
  expect(parts.firstLine(partKey('BOSCH', '0 986 424 797'), 2)).toBeUndefined();
  expect(parts.firstLine(partKey('bosch', '0986.424-797'), 9)).toBe(2);
  expect(parts.firstLine(partKey('ATE', '0986424797'), 10)).toBeUndefined();
  expect(parts.size).toBe(2);
});

test('it answers as a Map does', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 4 })), (keys) => {
      const parts = createPartSet();
      const map = new Map<string, number>();
      for (const [index, key] of keys.entries()) {
        expect(parts.firstLine(key, index + 1)).toBe(map.get(key));
        if (!map.has(key)) map.set(key, index + 1);
      }
      expect(parts.size).toBe(map.size);
    }),
  );
});

test('it grows, and numbers that follow one another do not collide', () => {
  const parts = createPartSet();
  const count = 300_000;
  for (let index = 1; index <= count; index += 1) parts.firstLine(`BOSCH\t${index}`, index);
  for (let index = 1; index <= count; index += 1) parts.firstLine(`ATE\t${index.toString(36).toUpperCase()}`, index);
  expect(parts.size).toBe(2 * count);
  expect(parts.firstLine('BOSCH\t250000', 1)).toBe(250_000);
});
