import { expect, test } from 'vitest';
import { install, type Installation } from '../support/installation.ts';
import { anyRedis } from '../support/redis.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const DELIVERY = { full: { pattern: 'full_*.csv' }, changes: { pattern: 'delta_{sequence}.csv' } };
const list = (...numbers: number[]) => `brand;oem\n${numbers.map((number) => `BOSCH;B1B00${number}\n`).join('')}`;

/** A shop whose guards let everything through, with a full list that is live. */
async function shopWithChanges(env: NodeJS.ProcessEnv = {}) {
  const service = await sandboxForTest();
  const guard = { minRows: 0, maxRowDrop: '100%', maxRowGrowth: '10000%', maxPartsGone: '100%' };
  const feeds = { north: { delivery: DELIVERY, guard } };
  const shop = install({ service: { baseUrl: service.url }, logins: { main: { coalesce: '0s', guard } }, feeds }, env);
  shop.deliver('north', 'full_a.csv', list(1, 2, 3, 4));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 4 } });
  return shop;
}

type Listed = { run: string; delivery: string | null; outcome: string | null; stage: string };

/** The runs that took changes, in their order. */
async function takenBy(shop: Installation): Promise<Listed[]> {
  const { stdout } = await shop.offerline('runs', '--feed', 'north', '--json');
  const runs = JSON.parse(stdout) as Listed[];
  return runs.reverse().filter(({ delivery }) => delivery?.startsWith('delta') === true);
}

const named = (runs: Listed[]) => runs.map(({ delivery }) => delivery);

test('changes are each taken once and in their order, by workers that are killed and with a Redis that is wiped', async () => {
  const redis = await anyRedis();
  const shop = await shopWithChanges({ REDIS_URL: redis.url });
  const names = Array.from({ length: 8 }, (_, at) => `delta_${at + 1}.csv`);
  for (const [at, name] of names.entries()) shop.deliver('north', name, list(1, 2, 3, 4, 5 + at));
  await shop.offerline('ingest', 'north');
  for (const count of [2, 5]) {
    const worker = shop.start('worker');
    await until(async () => (await takenBy(shop)).length >= count || undefined);
    worker.child.kill('SIGKILL');
    await worker.ended;
    await redis.wipe();
  }
  shop.start('worker');
  shop.start('worker');
  await until(async () => {
    const runs = await takenBy(shop);
    return (runs.length === names.length && runs.every(({ stage }) => stage === 'done')) || undefined;
  });
  const runs = await takenBy(shop);
  expect(named(runs)).toEqual(names);
  // Each is live, or went on into one that is.
  expect(runs.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'live' && outcome !== 'nothing')).toEqual(
    [],
  );
  expect(runs.at(-1)?.outcome).toBe('live');
});

test('a person takes all changes that wait with one command, and hears what is held and why', async () => {
  const shop = await shopWithChanges();
  shop.deliver('north', 'delta_1.csv', list(1, 2, 3, 4, 5));
  shop.deliver('north', 'delta_2.csv', list(1, 2, 3, 4, 6));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', delivery: { name: 'delta_1.csv' } });
  expect(named(await takenBy(shop))).toEqual(['delta_1.csv', 'delta_2.csv']);

  const late = shop.deliver('north', 'delta_4.csv', list(1, 2, 3, 4, 8));
  const listed = await shop.offerline('pull', 'north', '--list');
  expect(listed.stdout).toMatch(/delta_4\.csv.*wait.*waits for delta_3\.csv, which comes before it/);
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ status: 3, outcome: 'held', cause: 'order' });
  expect(held.reason).toContain('delta_3.csv is missing before delta_4.csv');

  const byHand = await shop.ingest('north', '--file', late);
  expect(byHand).toMatchObject({ outcome: 'held', cause: 'order' });
  await shop.offerline('reject', byHand.run, '--reason', 'twice');

  shop.deliver('north', 'delta_3.csv', list(1, 2, 3, 4, 7));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', delivery: { name: 'delta_3.csv' } });
  const again = (await takenBy(shop)).at(-1);
  expect(again).toMatchObject({ delivery: 'delta_4.csv', outcome: 'live' });
});

test('a rejection ends the incident of changes that were held before another run ended', async () => {
  const shop = await shopWithChanges();
  shop.deliver('north', 'delta_1.csv', list(1, 2, 3, 4, 5));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  shop.deliver('north', 'delta_4.csv', list(1, 2, 3, 4, 8));
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ outcome: 'held', cause: 'order' });
  shop.deliver('north', 'delta_2.csv', list(1, 2, 3, 4, 6));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', delivery: { name: 'delta_2.csv' } });
  const incidents = async () => (await shop.offerline('incidents')).stdout;
  expect(await incidents()).toContain('delta_3.csv');
  expect(await shop.offerline('reject', held.run, '--reason', 'sent by mistake')).toMatchObject({ status: 0 });
  expect(await incidents()).toBe('No open incidents.\n');
});
