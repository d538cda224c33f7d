import { describe, expect, test } from 'vitest';
import { clockFrom, machineClock, dueIn, isDue } from '../src/clock.ts';
import { standingClock } from './support/clock.ts';

const NOW = Date.UTC(2026, 4, 4);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('how long something has lasted', () => {
  test('is what has passed, also since before this process began', () => {
    const at = standingClock(NOW);
    expect(at.clock.since(NOW)).toBe(0);
    expect(at.clock.since(NOW - HOUR)).toBe(HOUR);
    at.time += MINUTE;
    expect(at.clock.since(NOW)).toBe(MINUTE);
    expect(at.clock.since(NOW - HOUR)).toBe(HOUR + MINUTE);
  });

  test.each([
    ['forward', HOUR],
    ['back', -HOUR],
    ['forward by a day', 24 * HOUR],
  ])('is not changed by a clock that is set %s', (_, by) => {
    const at = standingClock(NOW);
    at.time += MINUTE;
    const noted = at.clock.now();
    at.time += MINUTE;
    at.clock.now();
    at.ahead += by;
    expect(at.clock.now()).toBe(NOW + 2 * MINUTE + by);
    expect(at.clock.since(noted)).toBe(MINUTE);
    at.time += 2 * HOUR;
    expect(at.clock.since(noted)).toBe(2 * HOUR + MINUTE);
    expect(at.clock.since(NOW + 2 * MINUTE + by)).toBe(2 * HOUR);
  });

  test('is none for what another process noted ahead of this clock', () => {
    const at = standingClock(NOW);
    expect(at.clock.since(NOW + HOUR)).toBe(0);
    at.time += MINUTE;
    expect(at.clock.since(NOW + HOUR)).toBe(MINUTE);
  });
});

test('a clock that is set is told of, once and by how much; one that drifts is not', () => {
  const jumps: number[] = [];
  const at = standingClock(NOW, { onJump: (ms) => jumps.push(ms) });
  for (const by of [HOUR, -2 * HOUR, 24 * HOUR]) {
    at.ahead += by;
    at.time += MINUTE;
    at.clock.now();
    at.clock.now();
  }
  expect(jumps).toEqual([HOUR, -2 * HOUR, 24 * HOUR]);
  for (let n = 0; n < 1000; n++) {
    at.time += MINUTE;
    at.ahead += 30;
    at.clock.now();
  }
  expect(jumps).toHaveLength(3);
});

test("the machine's monotonic clock goes forward, and its processes can compare what it shows", () => {
  const [one, other] = [machineClock(), machineClock()];
  const first = one.monotonic();
  expect(other.monotonic()).toBeGreaterThanOrEqual(first);
  expect(other.id).toBe(one.id);
  expect(clockFrom(one).since(one.now() - HOUR)).toBeGreaterThanOrEqual(HOUR);
});

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
