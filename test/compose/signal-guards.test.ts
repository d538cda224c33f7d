import { expect, test } from 'vitest';
import { trippedSignals } from '../../src/compose/guards.ts';
import type { SeenSignals, SignalFinding, Signals } from '../../src/model.ts';
import { guardSentence } from '../../src/wording/reasons/guard-reasons.ts';

const stockOf = (inStock: number, known: number): SeenSignals => {
  const cells = { column: 'Bestand', position: 5, known, notGiven: 0, unreadable: 0, examples: [] };
  return { rows: known, names: null, price: null, stock: { ...cells, inStock } };
};

function signals(changes: Partial<Signals>): Signals {
  const nothing = { compared: 0, jumped: 0, swapped: { parts: 0, of: 0 }, findings: [] };
  return { seen: stockOf(90, 100), before: null, comparedWith: null, ...nothing, ...changes };
}

function sentence(guard: { maxPriceJump?: number; maxStockDrop?: number }, changes: Partial<Signals>): string | null {
  const tripped = trippedSignals(guard, signals(changes), { feed: 'north' });
  return tripped === null ? null : guardSentence(tripped);
}

test('prices that jump are held beyond the limit, and only of enough parts', () => {
  const guard = { maxPriceJump: 0.2 };
  expect(sentence(guard, { compared: 1200, jumped: 241 })).toBe(
    'in the file of north the price of 20.1% of the parts more than doubled or fell to less than half (241 of 1,200 compared), more than guard.maxPriceJump (20%)',
  );
  expect(sentence(guard, { compared: 1200, jumped: 240 })).toBeNull();
  expect(sentence(guard, { compared: 9, jumped: 9 })).toBeNull();
  expect(sentence({}, { compared: 1200, jumped: 1200 })).toBeNull();
});

test('prices that are article numbers, or no amounts any more, have jumped as well', () => {
  const swapped = { parts: 60, of: 60 };
  expect(
    sentence({ maxPriceJump: 0.5 }, { swapped, findings: [{ code: 'prices-swapped', ...swapped, examples: [] }] }),
  ).toBe(
    'in the file of north prices and article numbers are swapped (60 of 60 compared), more than guard.maxPriceJump (50%)',
  );
  const unreadable: SignalFinding = { code: 'prices-unreadable', rows: 60, of: 80, cells: ['x'], examples: [] };
  expect(sentence({ maxPriceJump: 0.5 }, { findings: [unreadable] })).toBe(
    'in the file of north 75% of the prices cannot be read any more (60 of 80 rows), more than guard.maxPriceJump (50%)',
  );
});

test('a stock is compared by shares: a shorter list has lost none', () => {
  const guard = { maxStockDrop: 0.5 };
  expect(sentence(guard, { before: stockOf(900, 1000), seen: stockOf(90, 100) })).toBeNull();
  expect(sentence(guard, { before: stockOf(90, 100), seen: stockOf(40, 100) })).toBe(
    'the share of rows of the file of north that are in stock fell by 55.6% (from 90% (90 of 100) to 40% (40 of 100)), more than guard.maxStockDrop (50%)',
  );
  expect(sentence(guard, { before: stockOf(90, 100), seen: stockOf(0, 9) })).toBeNull();
  expect(sentence(guard, { before: stockOf(0, 100), seen: stockOf(0, 100) })).toBeNull();
  expect(sentence(guard, { before: null })).toBeNull();
});

test('nothing is held where nothing was seen', () => {
  expect(trippedSignals({ maxPriceJump: 0, maxStockDrop: 0 }, null, { feed: 'north' })).toBeNull();
});
