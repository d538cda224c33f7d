import { expect, test } from 'vitest';
import { afterSweep, exploreWithin, isForgotten, type Explored, type Found } from './explore.ts';
import type { Protocol } from './state.ts';

/** As `queues.ts` and `handle.ts` have it. */
const REAL: Protocol = { keepsRuns: true, bringsRunsForward: true, sweepBringsRunsForward: true, looks: true };

/** The steps after which open work is left to the sweep, although nothing has happened to the queue or to a worker. */
function forgotten({ resting }: Explored): string[][] {
  return resting.filter(({ state }) => !state.troubled && isForgotten(state)).map(({ path }) => path);
}

test.each([
  ['a run that people change', 2, { changes: 2 }],
  ['a stage that fails and is tried again', 2, { changes: 2, failures: 1 }],
  ['sweeps beside it', 2, { changes: 1, failures: 1, sweeps: 1 }],
  ['a Redis that dies and comes back', 2, { changes: 1, outages: 1 }],
  ['all of it with one worker', 1, { changes: 2, failures: 1, sweeps: 1 }],
] as const)('%s: whoever was told that a worker was woken waits for no sweep', (_, places, budget) => {
  const explored = exploreWithin(places, budget, REAL);
  expect(explored.resting.some(({ state }) => state.stage === 'done')).toBe(true);
  expect(forgotten(explored)).toEqual([]);
});

/** What a sweep does not find, of what is left to it. */
function stuck(left: Found[], protocol: Protocol): string[][] {
  const isStuck = ({ state }: Found) => {
    const swept = afterSweep(state, protocol);
    return swept.length === 0 || swept.some(isForgotten);
  };
  return left.filter(isStuck).map(({ path }) => path);
}

const DEATHS = { changes: 2, failures: 1, crashes: 1 };

test.each([
  ['Redis has come back empty', 2, { changes: 1, outages: 1, wipes: 1 }],
  ['a worker was killed', 1, DEATHS],
] as const)('after %s one sweep finds all open work', (_, places, budget) => {
  const left = exploreWithin(places, budget, REAL).resting.filter(({ state }) => isForgotten(state));
  expect(left).not.toEqual([]);
  expect(stuck(left, REAL)).toEqual([]);
});

test.each(['keepsRuns', 'bringsRunsForward', 'looks'] as const)('without %s a wake-up would be lost', (part) => {
  const budget = { changes: 2, failures: 1 };
  expect(forgotten(exploreWithin(2, budget, { ...REAL, [part]: false }))).not.toEqual([]);
});

test('a sweep that brought no run forward would leave work behind that a dead worker had delayed', () => {
  const protocol = { ...REAL, sweepBringsRunsForward: false };
  const left = exploreWithin(1, DEATHS, protocol).resting.filter(({ state }) => isForgotten(state));
  expect(stuck(left, protocol)).not.toEqual([]);
});
