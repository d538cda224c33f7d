import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepSmallest, readSample, sampleKey, writeSample, type SampledPart } from '../../src/signals/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('the values with the smallest keys are kept, the first of equal ones, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.integer({ min: 1, max: 8 }), (keys, most) => {
      const kept = keepSmallest<number>(most);
      for (const [at, key] of keys.entries()) if (kept.takes(key)) kept.add(key, at);
      const { entries, limit } = kept.end();
      const sorted = [...new Set(keys)].sort((a, b) => a - b);
      expect(entries.map(([key]) => key)).toEqual(sorted.slice(0, most));
      expect(entries.every(([key, at]) => keys.indexOf(key) === at)).toBe(true);
      expect(limit).toBe(sorted[most] ?? Infinity);
    }),
  );
});

test('two samples have the same parts below both of their limits', () => {
  const sampleOf = (names: number[]) => {
    const kept = keepSmallest<number>(100);
    for (const name of names) kept.add(sampleKey('ATE', String(name)), name);
    return kept.end();
  };
  const all = Array.from({ length: 1000 }, (_, at) => at);
  const [one, other] = [sampleOf(all), sampleOf(all.filter((at) => at % 3 > 0).toReversed())];
  const limit = Math.min(one.limit, other.limit);
  const below = ({ entries }: typeof one) => entries.filter(([key]) => key < limit).map(([, name]) => name);
  expect(below(one).filter((name) => name % 3 > 0)).toEqual(below(other));
  expect(below(other).length).toBeGreaterThan(40);
});

test('the key of a part is that of its duplicates', () => {
  expect(sampleKey('Bosch', '0 986-424.797')).toBe(sampleKey('BOSCH', '0986424797'));
  expect(sampleKey('Bosch', '0986424797')).not.toBe(sampleKey('Bosch', '0986424798'));
});

test('what is written is read again', async () => {
  const parts = keepSmallest<SampledPart>(2);
  parts.add(7, { line: 3, brand: 'ATE', oem: '1', price: 12.5, stock: null });
  parts.add(9, { line: 4, brand: 'ATE', oem: '2', price: null, stock: 0 });
  parts.add(11, { line: 5, brand: 'ATE', oem: '3', price: null, stock: 0 });
  const cells = keepSmallest<{ line: number; brand: string; oem: string; cell: string }>(2);
  cells.add(5, { line: 3, brand: 'ATE', oem: '1', cell: '12,50' });
  const path = join(tempFolder(), 'seen.tsv');
  await writeSample(path, parts, cells);
  const sample = await readSample(path);
  expect([...sample.parts]).toEqual(parts.end().entries);
  expect([...sample.cells]).toEqual(cells.end().entries);
  expect([sample.limit, sample.cellLimit]).toEqual([11, Infinity]);
});
