import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { serve } from '../support/http-server.ts';
import { install, type Installation, type Running } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** Another worker takes over soon, so that five deaths do not take minutes. */
const QUICK = { lease: '1s', lock: '1s', stalled: '500ms', sweep: '300ms' };

/** So many rows that reading and composing them takes long enough to be killed in it. */
const MANY = Array.from({ length: 120_000 }, (_, row) => `BOSCH;${row + 1}\n`).join('');

async function record(shop: Installation, feed: string): Promise<string> {
  const { stdout } = await shop.offerline('ingest', feed, '--json');
  return (JSON.parse(stdout) as { run: string }).run;
}

async function done(shop: Installation, run: string): Promise<RunAnswer> {
  const ledger = ledgerOf(shop);
  await until(() => (ledger.stage(run) === 'done' ? true : undefined));
  return JSON.parse((await shop.offerline('show', run, '--json')).stdout) as RunAnswer;
}

/** A look into the ledger: the quickest way to know what a process is about to do. */
function ledgerOf(shop: Installation) {
  const file = join(shop.home, 'ledger.sqlite');
  const ask = (sql: string, ...values: string[]) => {
    const db = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
    try {
      return db.prepare(sql).get(...values);
    } finally {
      db.close();
    }
  };
  return {
    starts: (run: string, stage: string) =>
      Number(ask('select count(*) as n from starts where run = ? and stage = ?', run, stage)?.['n'] ?? 0),
    stage: (run: string) => ask('select stage from runs where id = ?', run)?.['stage'],
    decided: (run: string) => ask('select outcome from runs where id = ?', run)?.['outcome'] !== null,
  };
}

/** Starts `up` again and again, and kills it as soon as it has begun this work of this run, until the run is decided. */
async function killIn(shop: Installation, run: string, stage: string): Promise<{ deaths: number; up: Running }> {
  const ledger = ledgerOf(shop);
  for (let deaths = 0; ; deaths++) {
    const before = ledger.starts(run, stage);
    const up = shop.start('up');
    const what = await until(() =>
      ledger.decided(run) ? 'decided' : ledger.starts(run, stage) > before ? 'begun' : undefined,
    );
    if (what === 'decided') return { deaths, up };
    up.child.kill('SIGKILL');
    await up.ended;
  }
}

test('a pull and a read that kill their process five times end their own runs, and the others go live', async () => {
  const service = await sandboxForTest();
  const { url } = await serve((_, response) => void response.write('brand;oem\n'));
  const feeds = { pulled: { source: { type: 'http', url } }, read: {}, north: {} };
  const shop = install({ service: { baseUrl: service.url }, worker: QUICK, feeds });
  shop.deliver('read', 'a.csv', `brand;oem\n${MANY}`);
  shop.deliver('north', 'a.csv', 'brand;oem\nATE;1\n');

  const pulled = await record(shop, 'pulled');
  const first = await killIn(shop, pulled, 'pull');
  expect(first.deaths).toBe(5);
  expect(await done(shop, pulled)).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('was killed or ran out of memory 5 times while pulling this file'),
  });
  first.up.child.kill('SIGTERM');
  await first.up.ended;

  const read = await record(shop, 'read');
  const second = await killIn(shop, read, 'read');
  expect(second.deaths).toBe(5);
  expect(await done(shop, read)).toMatchObject({ outcome: 'failed' });
  expect(await done(shop, await record(shop, 'north'))).toMatchObject({ outcome: 'live', rows: { live: 1 } });
  const { stdout } = await shop.offerline('incidents', '--json');
  expect(JSON.parse(stdout)).toMatchObject([
    { kind: 'delivery', feed: 'pulled' },
    { kind: 'delivery', feed: 'read' },
  ]);
});

test('rows that kill their process in compose are told from those they are composed with', async () => {
  const service = await sandboxForTest();
  const feeds = { north: {}, south: {} };
  const logins = { main: { coalesce: '5s' } };
  const shop = install({ service: { baseUrl: service.url }, worker: QUICK, feeds, logins });
  shop.deliver('north', 'a.csv', `brand;oem\n${MANY}`);
  shop.deliver('south', 'a.csv', 'brand;oem\nATE;1\n');
  const south = await record(shop, 'south');
  const north = await record(shop, 'north');
  const { deaths } = await killIn(shop, north, 'compose');
  expect(deaths).toBe(5);
  expect(await done(shop, north)).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('while composing these rows'),
  });
  expect(await done(shop, south)).toMatchObject({ outcome: 'live', rows: { live: 1 } });
  expect(await service.offers()).toHaveLength(1);
});

test('SIGTERM is no death: a run that was handed back six times is finished', async () => {
  const service = await sandboxForTest();
  let asked = 0;
  const { url } = await serve((_, response) => {
    asked += 1;
    response.write('brand;oem\nATE;1\n');
    if (asked > 6) response.end();
  });
  const feeds = { pulled: { source: { type: 'http', url } } };
  const shop = install({ service: { baseUrl: service.url }, worker: QUICK, feeds });
  const run = await record(shop, 'pulled');
  for (let stops = 1; stops <= 6; stops++) {
    const up = shop.start('up');
    await until(() => (asked === stops ? true : undefined));
    expect(ledgerOf(shop).starts(run, 'pull')).toBe(1);
    up.child.kill('SIGTERM');
    expect(await up.ended).toMatchObject({ status: 0 });
    expect(ledgerOf(shop).starts(run, 'pull')).toBe(0);
  }
  shop.start('up');
  expect(await done(shop, run)).toMatchObject({ outcome: 'live' });
});
