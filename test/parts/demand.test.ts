import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { byDemand, createDemand, firstByDemand, NO_DEMAND } from '../../src/parts/demand.ts';

const demand = createDemand({
  look: 'look-2',
  parts: [
    { brand: 'BOSCH', oem: '0 986 424 797', saleCategory: 2 },
    { brand: 'BOSCH', oem: '0986424797', saleCategory: 4 },
    { brand: 'ATE', oem: '0986424797', saleCategory: 1 },
    { brand: '', oem: 'X1', saleCategory: 3 },
  ],
});

test('the newest answer about a part counts, however its number is written', () => {
  expect(demand.of({ brand: 'Bosch', oem: '0986-424.797' })).toBe(2);
  expect(demand.asOf).toBe('look-2');
});

test('a row without a brand has the highest demand of its number, and one of another brand none', () => {
  expect(demand.of({ brand: null, oem: '0986424797' })).toBe(1);
  expect(demand.of({ brand: '', oem: 'x1' })).toBe(3);
  expect(demand.of({ brand: 'TRW', oem: '0986424797' })).toBeNull();
  expect(demand.of({ brand: 'BOSCH', oem: null })).toBeNull();
});

test('a part that is not known as it is written is looked up as it is uploaded', () => {
  const asUploaded = ({ brand, oem }: { brand: string; oem: string }) => ({
    brand: brand === 'ROBERT BOSCH' ? 'BOSCH' : brand,
    oem: oem.replace(/^N-/, ''),
  });
  const parts = [{ brand: 'BOSCH', oem: '0986424797', saleCategory: 2 }];
  const spelled = createDemand({ look: 'look', parts }, asUploaded);
  expect(spelled.of({ brand: 'ROBERT BOSCH', oem: 'N-0986424797' })).toBe(2);
  expect(spelled.of({ brand: null, oem: 'N-0986424797' })).toBe(2);
});

test('nothing is known where no answer showed a category', () => {
  expect(createDemand({ look: 'look-1', parts: [] }).asOf).toBeNull();
  expect(NO_DEMAND.of({ brand: 'BOSCH', oem: '0986424797' })).toBeNull();
});

type Value = { oem: string; at: number };

const partOf = ({ oem }: Value) => ({ brand: 'B', oem });
const known = createDemand({
  look: 'look',
  parts: ['A1', 'A2', 'A3', 'A4'].map((oem, at) => ({ brand: 'B', oem, saleCategory: at + 1 })),
});
const values = fc
  .array(fc.constantFrom('A1', 'A2', 'A3', 'A4', 'Z1', 'Z2'), { maxLength: 60 })
  .map((oems) => oems.map((oem, at) => ({ oem, at })));

test('what is in equal demand stays in its order, and what is unknown comes last', () => {
  fc.assert(
    fc.property(values, (given) => {
      const rank = (value: Value) => known.of(partOf(value)) ?? 5;
      const expected = given.toSorted((a, b) => rank(a) - rank(b) || a.at - b.at);
      expect(byDemand(given, known, partOf)).toEqual(expected);
    }),
  );
});

test('the first of a stream are the first of all of it', async () => {
  await fc.assert(
    fc.asyncProperty(values, fc.integer({ min: 1, max: 20 }), async (given, most) => {
      expect(await firstByDemand(streamOf(given), most, known, partOf)).toEqual(
        byDemand(given, known, partOf).slice(0, most),
      );
    }),
  );
});

test('without any demand only the first of a stream are read', async () => {
  const given = Array.from({ length: 100 }, (_, at) => ({ oem: 'A1', at }));
  let read = 0;
  const counted = (async function* () {
    for (const value of given) {
      read += 1;
      yield value;
    }
  })();
  expect(await firstByDemand(counted, 5, NO_DEMAND, partOf)).toEqual(given.slice(0, 5));
  expect(read).toBe(5);
});

async function* streamOf<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all;
}
