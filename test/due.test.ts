import { expect, test } from 'vitest';
import { dueIn, isDue } from '../src/due.ts';

const NOW = Date.UTC(2026, 4, 4);

test.each([0, 0.3, 1, 1499.7, 3_600_000])('what is due in %d ms is not due before, and is then', (ms) => {
  const due = dueIn(ms, NOW);
  expect(isDue(due, NOW)).toBe(ms === 0);
  expect(isDue(due, NOW + Math.ceil(ms) - 1)).toBe(ms === 0);
  expect(isDue(due, NOW + ms + 1)).toBe(true);
});

test('after a clock was set back, nothing waits longer than it was planned to', () => {
  const due = dueIn(30_000, NOW);
  for (const back of [1, 60_000, 3_600_000, 86_400_000]) expect(isDue(due, NOW - back)).toBe(true);
});
