import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { install } from '../support/installation.ts';
import { atEnd } from '../support/at-end.ts';
import { postgresForTests, withoutPostgres } from '../support/postgres.ts';
import { serve } from '../support/http-server.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { swallowingProxy } from '../support/swallowing-proxy.ts';
import { until } from '../support/until.ts';

/** So many connections are dropped under the program while it works. */
const DROPS = 200;

/** The commands of every third round, the first one included, end before connections are dropped: they record their runs for certain. */
const SPARED_ROUND = 3;

/** Each start meets the drops elsewhere. */
const STARTS = 8;

/** So much of what a process said last is shown where it ended, characters. */
const SAID = 2_000;

const newDatabase = postgresForTests();

/** A client of the test's own, which is never dropped. */
async function operator(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'operator' });
  await client.connect();
  atEnd(() => client.end());
  return client;
}

/** Drops the connections of the program that do something, or are in the middle of a change, else one that is idle. */
async function drop(client: Client): Promise<number> {
  const { rowCount } = await client.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'offerline'
    order by state = 'idle', random() limit 1`);
  return rowCount ?? 0;
}

describe.skipIf(withoutPostgres)('on a real Postgres', () => {
  test(`${DROPS} dropped connections end no process, lose no run, and upload nothing twice`, async () => {
    const service = await sandboxForTest();
    const url = await newDatabase();
    const feeds = { north: {}, south: {}, east: { login: 'other' } };
    const logins = {
      main: { coalesce: '0s' },
      other: { coalesce: '0s', auth: { type: 'basic', user: 'o', password: 'p' } },
    };
    const shop = install({ service: { baseUrl: service.url }, feeds, logins }, { DATABASE_URL: url });
    const client = await operator(url);
    expect(await shop.offerline('feeds')).toMatchObject({ status: 0 });
    const up = shop.start('up');
    const worker = shop.start('worker');
    for (const feed of Object.keys(feeds)) shop.deliver(feed, 'a.csv', `brand;oem\nBOSCH;${feed}1\nATE;${feed}2\n`);

    const runs: string[] = [];
    let dropped = 0;
    for (let round = 0; dropped < DROPS; round++) {
      for (const feed of Object.keys(feeds)) {
        shop.deliver(feed, 'a.csv', `brand;oem\nBOSCH;${feed}${round}\nATE;${feed}2\n`);
      }
      const recording = Promise.all(Object.keys(feeds).map((feed) => shop.offerline('ingest', feed, '--json')));
      // On a slow machine every command can lose a connection for good; in some rounds only the work itself does.
      if (round % SPARED_ROUND === 0) await recording;
      const commands = { open: true };
      void recording.then(() => (commands.open = false));
      while (commands.open || (dropped < DROPS && (await openRuns(client)) > 0)) {
        dropped += await drop(client);
        await client.query('select pg_sleep(random() * 0.06)');
      }
      for (const { status, stdout } of await recording) {
        if (status === 0) runs.push((JSON.parse(stdout) as { run: string }).run);
      }
    }
    while ((await openRuns(client)) > 0) await client.query('select pg_sleep(0.2)');

    const ended = [up, worker].filter(({ child }) => child.exitCode !== null || child.signalCode !== null);
    expect(ended.map(({ stderr }) => stderr().slice(-SAID))).toEqual([]);
    expect(runs.length).toBeGreaterThanOrEqual(Object.keys(feeds).length);
    const outcomes = (
      await client.query(`select outcome, reason from runs where outcome not in ('live', 'unchanged', 'nothing')`)
    ).rows;
    expect(outcomes).toEqual([]);
    const { stdout } = await shop.offerline('show', runs.at(-1) ?? '', '--json');
    expect((JSON.parse(stdout) as RunAnswer).outcome).not.toBe(null);
    const intents = (await client.query('select count(*)::int as n from intents')).rows[0]?.n as number;
    const basic = { authorization: `Basic ${btoa('o:p')}` };
    expect((await service.offers()).length + (await service.offers(basic)).length).toBe(intents);
  });

  test('a worker that starts while connections are dropped is at work after that', async () => {
    const service = await sandboxForTest();
    const url = await newDatabase();
    const shop = install({ service: { baseUrl: service.url } }, { DATABASE_URL: url });
    const client = await operator(url);
    expect(await shop.offerline('feeds')).toMatchObject({ status: 0 });
    for (let start = 0; start < STARTS; start++) {
      const worker = shop.start(start % 2 === 0 ? 'worker' : 'up');
      const isReady = () => worker.stderr().includes('"ready"');
      while (worker.child.exitCode === null && !isReady()) {
        await drop(client);
        await client.query('select pg_sleep(random() * 0.06)');
      }
      expect({ isReady: isReady(), said: isReady() ? '' : worker.stderr() }).toEqual({ isReady: true, said: '' });
      worker.child.kill('SIGKILL');
      await worker.ended;
    }
  });
});

describe.skipIf(withoutPostgres)('behind a network that swallows everything', () => {
  test('a worker notices, has lost its lease, and finds its work again; the run is uploaded once', async () => {
    const service = await sandboxForTest();
    const proxy = await swallowingProxy(await newDatabase());
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const supplier = await serve((_, response) => {
      asked.resolve();
      void go.promise.then(() => response.end('brand;oem\nBOSCH;1\nATE;2\n'));
    });
    const feeds = { north: { source: { type: 'http', url: supplier.url } } };
    const shop = install({ service: { baseUrl: service.url }, feeds }, { DATABASE_URL: proxy.url });
    expect(await shop.offerline('feeds')).toMatchObject({ status: 0 });
    const up = shop.start('up');
    const { run } = JSON.parse((await shop.offerline('ingest', 'north', '--json')).stdout) as RunAnswer;
    await asked.promise;
    // The lease of 3 s is not renewed from here on, whichever connection is asked.
    proxy.swallow('all');
    await until(async () => (up.stderr().includes('lease could not be renewed') ? true : undefined));
    proxy.mend();
    go.resolve();
    const answer = await until(async () => {
      const shown = JSON.parse((await shop.offerline('show', run, '--json')).stdout) as RunAnswer & { stage: string };
      return shown.stage === 'done' ? shown : undefined;
    });
    expect(answer).toMatchObject({ outcome: 'live', rows: { live: 2 } });
    expect(await service.offers()).toHaveLength(1);
    expect([up.child.exitCode, up.child.signalCode]).toEqual([null, null]);
  });
});

async function openRuns(client: Client): Promise<number> {
  const { rows } = await client.query(`select count(*)::int as n from runs where stage <> 'done'`);
  return rows[0]?.n as number;
}
