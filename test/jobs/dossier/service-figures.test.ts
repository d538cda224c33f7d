import { array, assert, double, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { byMonth, percentile } from '../../../src/jobs/dossier/service-figures.ts';
import type { ClosedUpload } from '../../../src/ledger/calls/service-record.ts';

const MAY = Date.UTC(2026, 4, 31, 23, 59);
const JUNE = Date.UTC(2026, 5, 1);

function success(closed_at: number, seconds: number, lines_processed: number | null): ClosedUpload {
  return { state: 'success', adopted: 0, closed_at, taken_at: closed_at - seconds * 1000, lines_processed };
}

test('the percentile is what stands at its place when the numbers are sorted', () => {
  assert(
    property(array(double({ noNaN: true }), { minLength: 1 }), integer({ min: 1, max: 100 }), (all, of) => {
      const found = percentile(all, of / 100)!;
      const sorted = [...all].sort((a, b) => a - b);
      const below = sorted.filter((one) => one < found).length;
      const upTo = sorted.filter((one) => one <= found).length;
      expect(sorted).toContain(found);
      expect(below * 100).toBeLessThan(of * all.length);
      expect(upTo * 100).toBeGreaterThanOrEqual(of * all.length - 1e-6);
      expect(percentile(all, 1)).toBe(sorted.at(-1));
    }),
  );
  expect(percentile([], 0.5)).toBeNull();
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(2);
});

test('figures are counted by month of UTC, the newest first', () => {
  const uploads: ClosedUpload[] = [
    success(MAY, 10, 5000),
    success(MAY, 30, 1000),
    success(MAY, 6, 2000),
    { ...success(MAY, 9999, 10), adopted: 1 },
    { ...success(MAY, 1, null), state: 'aborted' },
    { ...success(JUNE, 1, 0), state: 'failed' },
  ];
  const failures = [
    { at: MAY, status: 503 },
    { at: MAY, status: 500 },
    { at: MAY, status: 429 },
    { at: JUNE, status: null },
  ];
  const [june, may, ...more] = byMonth({ uploads, stalls: [MAY, JUNE, JUNE], failures });
  expect(more).toEqual([]);
  expect(may).toEqual({
    month: '2026-05',
    uploads: 5,
    lines: 8010,
    perThousand: { median: 3000, p95: 30_000, uploads: 3 },
    stalls: 1,
    failed: 0,
    aborted: 1,
    status4xx: 1,
    status5xx: 2,
    noReply: 0,
  });
  expect(june).toMatchObject({
    month: '2026-06',
    perThousand: { median: null, p95: null, uploads: 0 },
    stalls: 2,
    failed: 1,
    noReply: 1,
  });
});
