import { expect, test } from 'vitest';
import { findOut } from '../../../src/jobs/findability/find-out.ts';
import { listIncidents, raise } from '../../../src/ledger/alerts/incidents.ts';
import { lastLook } from '../../../src/ledger/uploads/findability.ts';
import { referenceForTests } from '../../sandbox/search-world.ts';
import { findabilityWorld } from './findability-world.ts';

const reference = referenceForTests();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const ROWS = reference
  .rows('SELECT brand, oem FROM parts WHERE original = 0 ORDER BY id LIMIT 2')
  .map(({ brand, oem }) => [String(brand), String(oem), '', '']);

/** A worker's rounds, and when north was looked at last; `at`: minutes after now. */
async function rounds(options: Parameters<typeof findabilityWorld>[1] = {}) {
  const world = await findabilityWorld(reference, options);
  await world.upload(...ROWS);
  const start = world.clock.time;
  const round = findOut(world.ctx, new AbortController().signal);
  return {
    ...world,
    after: async (ms: number): Promise<number | null> => {
      world.clock.time = start + ms;
      await round();
      return (await lastLook(world.ctx.ledger.db, { login: 'main', feed: 'north' }))?.at ?? null;
    },
    start,
  };
}

test('a feed is looked at once its upload has settled, and then once in `every`', async () => {
  const { after, start } = await rounds({ findability: { every: '2d' } });
  expect(await after(5 * MINUTE)).toBeNull();
  const first = await after(10 * MINUTE);
  expect(first).toBeGreaterThanOrEqual(start + 10 * MINUTE);
  expect(await after(DAY)).toBe(first);
  expect(await after(2 * DAY + 20 * MINUTE)).toBeGreaterThan(start + 2 * DAY);
});

test('a look that was cut short is repeated a day later', async () => {
  const { after, control } = await rounds();
  await control.add({ fault: 'refuse', status: 403, operation: 'search', nth: 2 });
  const first = await after(10 * MINUTE);
  expect(first).not.toBeNull();
  expect(await after(DAY)).toBe(first);
  expect(await after(DAY + 20 * MINUTE)).toBeGreaterThan(first!);
});

test('nothing is asked when it is off', async () => {
  const { after } = await rounds({ findability: 'off' });
  expect(await after(30 * DAY)).toBeNull();
});

test('once it is off, nobody waits for parts to be found', async () => {
  const { ctx, after } = await rounds({ findability: 'off' });
  const parts = { code: 'parts-not-found', missing: 1, asked: 2, upload: '17', examples: ['BOSCH A1'] } as const;
  await raise(ctx.ledger.db, { kind: 'not-found', login: 'main', feed: 'north', reason: parts }, ctx.clock.now());
  await after(MINUTE);
  expect(await listIncidents(ctx.ledger.db)).toEqual([]);
});

test('a feed with nothing live is looked at as seldom as others', async () => {
  const world = await findabilityWorld(reference);
  await world.upload();
  world.clock.time += 10 * MINUTE;
  await findOut(world.ctx, new AbortController().signal)();
  expect(await lastLook(world.ctx.ledger.db, { login: 'main', feed: 'north' })).toMatchObject({
    parts: 0,
    answers: [],
  });
});
