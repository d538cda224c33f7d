import { expect, test } from 'vitest';
import { trippedGuard, type Guarded } from '../../src/compose/guards.ts';
import type { Guard } from '../../src/config/schema/schema.ts';
import { guardSentence } from '../../src/wording/reasons/guard-reasons.ts';

const numbers = (changes: Partial<Guarded>): Guarded => ({
  rows: 100,
  read: 100,
  rejected: 0,
  previousRows: 100,
  rejectedThere: { rows: 0, previousRows: 0 },
  ...changes,
});
const tripped = (guard: Guard, changes: Partial<Guarded> = {}) => {
  const found = trippedGuard(guard, numbers(changes), { feed: 'north' });
  return found === null ? null : guardSentence(found);
};

test('without guards nothing trips', () => {
  expect(tripped({}, { rows: 0, rejected: 100 })).toBeNull();
});

test.each<[string, Guard, Partial<Guarded>, string]>([
  ['too few rows', { minRows: 10 }, { rows: 9 }, 'the file of north has 9 rows, fewer than guard.minRows (10)'],
  [
    'no row',
    { minRows: 1 },
    { rows: 0, previousRows: null },
    'the file of north has 0 rows, fewer than guard.minRows (1)',
  ],
  [
    'too many rejected',
    { maxRejected: 0.2 },
    { read: 80, rejected: 17 },
    '21.3% of the rows of the file of north were rejected (17 of 80), more than guard.maxRejected (20%)',
  ],
  [
    'a drop',
    { maxRowDrop: 0.3 },
    { rows: 69 },
    'the file of north shrank by 31% (from 100 to 69 rows), more than guard.maxRowDrop (30%)',
  ],
  [
    'growth',
    { maxRowGrowth: 1 },
    { rows: 201 },
    'the file of north grew by 101% (from 100 to 201 rows), more than guard.maxRowGrowth (100%)',
  ],
])('%s trips, with the numbers and the setting', (_what, guard, changes, message) => {
  expect(tripped(guard, changes)).toBe(message);
});

test.each<[string, Guard, Partial<Guarded>]>([
  ['exactly the least rows', { minRows: 10 }, { rows: 10 }],
  ['exactly the share of rejected rows', { maxRejected: 0.2 }, { read: 85, rejected: 17 }],
  ['nothing read', { maxRejected: 0 }, { read: 0, rejected: 0 }],
  ['exactly the drop', { maxRowDrop: 0.3 }, { rows: 63, previousRows: 90 }],
  ['growth, when only a drop is guarded', { maxRowDrop: 0.1 }, { rows: 900 }],
  ['exactly the growth', { maxRowGrowth: 0.1 }, { rows: 110 }],
  ['a drop, when only growth is guarded', { maxRowGrowth: 0 }, { rows: 1 }],
  ['the first delivery', { maxRowDrop: 0, maxRowGrowth: 0 }, { previousRows: null }],
  ['a delivery after an empty one', { maxRowDrop: 0, maxRowGrowth: 0 }, { previousRows: 0 }],
])('%s does not trip', (_what, guard, changes) => {
  expect(tripped(guard, changes)).toBeNull();
});

test('what the service rejected of the last good counts on neither side, except that a file needs its least rows', () => {
  const there = { rows: 30, previousRows: 50 };
  expect(tripped({ maxRowDrop: 0.3 }, { rows: 80, rejectedThere: there })).toBeNull();
  expect(tripped({ maxRowDrop: 0.3 }, { rows: 60, rejectedThere: there })).toBe(
    'the file of north shrank by 40% (from 50 to 30 rows without those that the service rejected), more than guard.maxRowDrop (30%)',
  );
  expect(tripped({ maxRowGrowth: 0.1 }, { rows: 90, rejectedThere: there })).toContain('from 50 to 60 rows without');
  expect(tripped({ maxRowDrop: 0 }, { rows: 9, rejectedThere: { rows: 9, previousRows: 100 } })).toBeNull();
  expect(tripped({ minRows: 30 }, { rows: 30, rejectedThere: { rows: 30, previousRows: 0 } })).toBeNull();
});

test('the first guard that trips is the one that is named', () => {
  const all: Guard = { minRows: 50, maxRejected: 0.1, maxRowDrop: 0.1 };
  expect(tripped(all, { rows: 10, rejected: 90 })).toContain('guard.minRows');
  expect(tripped(all, { rows: 60, rejected: 40 })).toContain('guard.maxRejected');
});
