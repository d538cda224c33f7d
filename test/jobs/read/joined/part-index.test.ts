import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openJoinKernel } from '../../../../src/jobs/read/joined/kernel/join-kernel.ts';
import { createPartIndex } from '../../../../src/jobs/read/joined/kernel/part-index.ts';
import { hashKey } from '../../../../src/parts/part-hash.ts';
import { partKey } from '../../../../src/parts/part-key.ts';

const hashOf = (key: string) => {
  const pair = { high: 0, low: 0 };
  hashKey(key, pair);
  return pair;
};

test('the first number of a part is found by every spelling of it', async () => {
  const index = createPartIndex(await openJoinKernel());
  expect(index.add(hashOf(partKey('BOSCH', '0 986 424 797')), 0)).toBe(true);
  expect(index.add(hashOf(partKey('bosch', '0986.424-797')), 9)).toBe(false);
  const slot = index.find(hashOf(partKey('Bosch', '0986424797')));
  expect(index.valueAt(slot)).toBe(0);
  expect(index.find(hashOf(partKey('ATE', '0986424797')))).toBe(-1);
});

test('it answers as a Map does, however often it grows, and counts the parts that were met', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ maxLength: 4 }), { maxLength: 3000 }), async (keys) => {
      const index = createPartIndex(await openJoinKernel());
      const map = new Map<string, number>();
      for (const [at, key] of keys.entries()) {
        expect(index.add(hashOf(key), at)).toBe(!map.has(key));
        if (!map.has(key)) map.set(key, at);
      }
      const met = [...map.keys()].filter((_, at) => at % 3 === 0);
      for (const key of [...met, ...met]) index.mark(index.find(hashOf(key)));
      for (const [key, value] of map) {
        const slot = index.find(hashOf(key));
        expect(index.valueAt(slot)).toBe(value);
        expect(index.isMarked(slot)).toBe(met.includes(key));
      }
      expect([index.size, index.marked]).toEqual([map.size, met.length]);
    }),
    { numRuns: 30 },
  );
});

test('numbers that follow one another do not collide', async () => {
  const index = createPartIndex(await openJoinKernel(), 1000);
  const count = 200_000;
  for (let at = 0; at < count; at += 1) index.add(hashOf(`BOSCH\t${at}`), at);
  expect(index.size).toBe(count);
  expect(index.valueAt(index.find(hashOf('BOSCH\t150000')))).toBe(150_000);
});
