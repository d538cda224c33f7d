import { expect, test } from 'vitest';
import { afterSweep, FRESH, isStuck, type Sight } from '../../../../src/jobs/queue/workers/queue-workers.ts';

const after = (...sights: Sight[]) => isStuck(sights.reduce(afterSweep, FRESH));
const idle: Sight = { waiting: 2, taken: 0, hasPlace: true };

test('a worker is stuck after three sweeps in which jobs waited and it took none', () => {
  expect(after(idle, idle)).toBe(false);
  expect(after(idle, idle, idle)).toBe(true);
});

test('it is not when no job waits, when it has no place for one, or when it takes some', () => {
  expect(after({ ...idle, waiting: 0 }, { ...idle, waiting: 0 }, { ...idle, waiting: 0 })).toBe(false);
  expect(after({ ...idle, hasPlace: false }, { ...idle, hasPlace: false }, { ...idle, hasPlace: false })).toBe(false);
  expect(after({ ...idle, taken: 1 }, { ...idle, taken: 2 }, { ...idle, taken: 3 })).toBe(false);
});

test('one job in between begins the count anew, whatever it took before', () => {
  const later = { ...idle, taken: 1 };
  expect(after(idle, idle, later, later, later)).toBe(false);
  expect(after(idle, idle, later, later, later, later)).toBe(true);
});
