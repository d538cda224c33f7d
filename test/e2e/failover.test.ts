import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { lacks } from '../support/programs.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { startPostgres, startStandby } from '../support/servers/postgres.ts';
import { until } from '../support/until.ts';

const FEEDS = ['north', 'south', 'east'];

describe.skipIf(lacks('postgres', 'initdb', 'pg_basebackup'))('a Postgres that fails over', () => {
  test('in the middle of runs ends no process, loses no run, and nothing is uploaded twice', async () => {
    const primary = await startPostgres();
    const standby = await startStandby(primary);
    const service = await sandboxForTest();
    const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join(',');
    const shop = install(
      { service: { baseUrl: service.url }, feeds: Object.fromEntries(FEEDS.map((feed) => [feed, {}])) },
      { DATABASE_URL: `postgres://offerline@${hosts}/postgres?connect_timeout=3` },
    );
    expect(await shop.offerline('feeds')).toMatchObject({ status: 0 });
    const up = shop.start('up');
    const worker = shop.start('worker');
    // A process that has not started yet may not start without its ledger.
    for (const one of [up, worker]) await until(() => (one.stderr().includes('"msg":"ready"') ? true : undefined));
    const deliver = (round: string) => {
      for (const feed of FEEDS) shop.deliver(feed, 'a.csv', `brand;oem\nBOSCH;${feed}${round}\nATE;${feed}2\n`);
    };
    const record = () => Promise.all(FEEDS.map((feed) => shop.offerline('ingest', feed, '--json')));

    deliver('1');
    const first = await record();
    expect(first.map(({ status }) => status)).toEqual([0, 0, 0]);
    await primary.kill();
    await standby.run('select pg_promote()');
    deliver('2');
    const second = await record();
    expect(second.map(({ status }) => status)).toEqual([0, 0, 0]);

    const client = new Client({ connectionString: standby.url });
    await client.connect();
    const count = async (what: string) => Number((await client.query(`select count(*) as n from ${what}`)).rows[0].n);
    try {
      await until(async () => ((await count(`runs where stage <> 'done'`)) === 0 ? true : undefined));
      const runs = [...first, ...second].map(({ stdout }) => (JSON.parse(stdout) as { run: string }).run);
      expect(await count(`runs where id = any (array[${runs.map((run) => `'${run}'`).join()}])`)).toBe(runs.length);
      expect(await count(`runs where outcome not in ('live', 'unchanged', 'nothing')`)).toBe(0);
      expect(await service.offers()).toHaveLength(await count('intents'));
    } finally {
      await client.end();
    }
    expect([up, worker].map(({ child }) => [child.exitCode, child.signalCode])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(await shop.offerline('verify')).toMatchObject({ status: 0 });
  });
});
