import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { gaugeLine } from '../../src/cli/gauge-line.ts';
import type { Gauge } from '../../src/gauge.ts';

const reading = (done: number, total: number | null): Gauge => ({ stage: 'read', unit: 'bytes', done, total });

test.each([
  ['at first nothing is foretold', reading(0, null), 0, 'north: reading'],
  ['no rate of less than a second', reading(50e6, 200e6), 900, 'north: reading 25% · 50 of 200 MB'],
  ['a rate and the rest', reading(50e6, 200e6), 2000, 'north: reading 25% · 50 of 200 MB · 25 MB/s · 6 s left'],
  ['a rate without a total', reading(5e6, null), 2000, 'north: reading · 5.0 MB · 2.5 MB/s'],
  ['minutes and hours', reading(1e6, 4e9), 2000, 'north: reading 0% · 0.0 of 4.0 GB · 500 KB/s · 2 h 14 min left'],
  ['nothing is left to foretell', reading(200, 200), 2000, 'north: reading 100% · 200 of 200 bytes · 100 bytes/s'],
  ['what would take days is not foretold', reading(10, 4e9), 9000, 'north: reading 0% · 0.0 of 4.0 GB · 1 bytes/s'],
  ['time, where nothing is counted', reading(0, null), 75_400, 'north: reading · 76 s'],
  ['more than was foretold', reading(300, 200), 900, 'north: reading 100% · 200 of 200 bytes'],
])('%s', (_, gauge, elapsed, line) => {
  expect(gaugeLine('north', { gauge, elapsed, from: 0 }, 100)).toBe(line);
});

test('rows are counted as rows', () => {
  const gauge: Gauge = { stage: 'prove', unit: 'rows', done: 1_500_000, total: 6_000_000 };
  expect(gaugeLine('main', { gauge, elapsed: 3000, from: 0 }, 100)).toBe(
    'main: comparing 25% · 1,500,000 of 6,000,000 rows · 500,000 rows/s · 9 s left',
  );
});

test('wide characters are cut by the columns that they take', () => {
  const line = gaugeLine('価格表'.repeat(9), { gauge: reading(1, 2), elapsed: 0, from: 0 }, 21);
  expect(line).toBe('価格表価格表価格表…');
});

test('a line always fits, never says NaN or more than all, and shows no control character', () => {
  const amount = fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e15, noNaN: true }));
  const gauge = fc.record({
    stage: fc.constantFrom<Gauge['stage'][]>('pull', 'compose', 'process', 'guard', 'search', 'report'),
    unit: fc.constantFrom<Gauge['unit'][]>('bytes', 'rows', null),
    done: amount,
    total: fc.option(amount.filter((total) => total > 0)),
  });
  const subject = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('価', '한', 'e\u0301', '👩‍🔧', 'a') }),
  );
  const inputs = [subject, gauge, amount, amount, fc.integer({ min: 20, max: 200 })] as const;
  fc.assert(
    fc.property(...inputs, (name, shown, elapsed, from, columns) => {
      const line = gaugeLine(name, { gauge: shown, elapsed, from }, columns);
      expect(stringWidth(line)).toBeLessThan(columns);
      const said = line.slice(line.lastIndexOf(': '));
      expect(said).not.toMatch(/NaN|Infinity|-\d|[1-9]\d\d\d%|\p{Cc}/u);
    }),
  );
});
