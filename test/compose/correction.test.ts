import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { looksLikeCorrection, mayBeCorrection, type ComparedParts } from '../../src/compose/correction.ts';

const CORRECTION: ComparedParts = {
  rows: 57,
  rejectedBefore: 57,
  doubtfulBefore: 0,
  rejected: 57,
  accepted: 1144,
  kept: 0,
};

test.each<[string, Partial<ComparedParts>, boolean]>([
  ['the rejected parts and nothing else', {}, true],
  ['a few others beside them', { rows: 65, kept: 8 }, true],
  ['many others beside them', { rows: 100, kept: 43 }, false],
  ['half of the rejected parts', { rows: 28, rejectedBefore: 28 }, true],
  ['the whole list', { rows: 1201, kept: 1144 }, false],
  ['the returned workbook: rejected parts and doubtful ones', { rows: 257, doubtfulBefore: 200, kept: 200 }, true],
  [
    'a shorter list in which every part was doubtful',
    { rows: 401, rejectedBefore: 1, doubtfulBefore: 400, kept: 400 },
    false,
  ],
  ['doubtful parts alone', { rows: 200, rejectedBefore: 0, doubtfulBefore: 200, kept: 200 }, false],
  [
    'a list of three after a list in which all three were rejected',
    { rows: 3, rejectedBefore: 3, rejected: 3, accepted: 0 },
    false,
  ],
  ['one corrected row of a list of two', { rows: 1, rejectedBefore: 1, rejected: 1, accepted: 1 }, true],
  [
    'both rows of a list of two, one of them corrected',
    { rows: 2, rejectedBefore: 1, rejected: 1, accepted: 1, kept: 1 },
    false,
  ],
  ['nothing', { rows: 0, rejectedBefore: 0 }, false],
])('%s', (_what, parts, held) => {
  expect(looksLikeCorrection({ ...CORRECTION, ...parts })).toBe(held);
});

test('a full list is not even compared on a usual day, however many warnings there were', () => {
  expect(mayBeCorrection(1_000_000, { mistakes: 1_000_000, rejected: 50_000, accepted: 950_000 })).toBe(false);
  expect(mayBeCorrection(50_000, { mistakes: 50_000, rejected: 50_000, accepted: 950_000 })).toBe(true);
});

test('a list that keeps half of what was right is never taken for a correction', () => {
  const count = fc.nat({ max: 1000 });
  fc.assert(
    fc.property(count, count, count, count, (rejectedBefore, doubtfulBefore, rejected, accepted) => {
      const kept = Math.ceil(accepted / 2);
      const rows = rejectedBefore + Math.max(kept, doubtfulBefore);
      expect(looksLikeCorrection({ rows, rejectedBefore, doubtfulBefore, rejected, accepted, kept })).toBe(false);
    }),
  );
});

test('what is not worth comparing is no correction', () => {
  const count = fc.nat({ max: 1000 });
  fc.assert(
    fc.property(count, count, count, count, count, (rejectedBefore, doubtfulBefore, others, accepted, more) => {
      const rows = rejectedBefore + doubtfulBefore + others;
      const rejected = Math.ceil(rejectedBefore / 3);
      const kept = doubtfulBefore + Math.min(more, others);
      const parts = { rows, rejectedBefore, doubtfulBefore, rejected, accepted, kept };
      const known = { mistakes: rejected + doubtfulBefore, rejected, accepted };
      expect(!looksLikeCorrection(parts) || mayBeCorrection(rows, known)).toBe(true);
    }),
  );
});
