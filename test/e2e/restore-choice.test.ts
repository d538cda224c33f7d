import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { goodRows } from '../support/console-work.ts';
import { controlOf } from '../support/control.ts';
import { install, type Installation } from '../support/installation.ts';
import { endPrivateRedis } from '../support/private-redis.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const login = (user: string) => ({ coalesce: '0s', auth: { type: 'basic', user, password: 'x' } });

const inbox = (feed: string) => ({ type: 'directory', path: `./inbox/${feed}`, settle: '0s' });

const configFor = (baseUrl: string) => ({
  service: { baseUrl },
  logins: { first: login('one'), second: login('two') },
  feeds: {
    north: { login: 'first', source: inbox('north') },
    south: { login: 'second', source: inbox('south') },
  },
});

/** Two logins with a feed each, a backup, and what was delivered since; one login cannot be asked what is live. */
async function backedUp() {
  const service = await sandboxForTest({ control: true });
  const config = configFor(service.url);
  const shop = install(config);
  const deliver = async (day: string, rows: number) => {
    for (const feed of ['north', 'south']) {
      shop.deliver(feed, `${day}.csv`, goodRows(rows, feed));
      expect(await shop.ingest(feed)).toMatchObject({ outcome: 'live' });
    }
  };
  await deliver('monday', 10);
  const place = join(tempFolder(), 'backups');
  expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
  await deliver('tuesday', 15);
  const control = controlOf(service.url);
  await control.faults({ fault: 'refuse', operation: 'source', login: 'two', times: 'forever', status: 500 });
  return { shop, place, control, config };
}

/** The same after the home was lost. */
async function restored() {
  const { shop, ...others } = await backedUp();
  await shop.release();
  await endPrivateRedis(shop.home);
  rmSync(shop.home, { recursive: true });
  return { shop, ...others };
}

test('a choice that one login cannot follow is made at none, and is whole when it is repeated', async () => {
  const { shop, place, control } = await restored();
  const failed = await shop.offerline('restore', place, '--resume', 'live');
  expect(failed).toMatchObject({ status: 4 });
  expect(failed.stderr).toContain('What is live at second');
  await control.clear();
  const { resumed } = JSON.parse((await shop.offerline('restore', '--resume', 'live', '--json')).stdout) as Answer;
  expect(resumed).toMatchObject([
    { login: 'first', done: 'taken-over', rows: 15, fetches: ['north'] },
    { login: 'second', done: 'taken-over', rows: 15, fetches: ['south'] },
  ]);
});

test('where what is live cannot be taken over, the backup goes on at all logins, as the message says', async () => {
  const { shop, place } = await restored();
  const failed = await shop.offerline('restore', place, '--resume', 'live');
  expect(failed.stderr).toContain('go on with `offerline restore --resume backup`');
  const { resumed } = JSON.parse((await shop.offerline('restore', '--resume', 'backup', '--json')).stdout) as Answer;
  expect(resumed).toMatchObject([
    { login: 'first', done: 'sent-again', rows: 10 },
    { login: 'second', done: 'sent-again', rows: 10 },
  ]);
});

test('a choice that fails leaves a shared archive to the original, one that succeeds takes it', async () => {
  const { shop: original, place, control, config } = await backedUp();
  const shop = install(config);
  mkdirSync(shop.home);
  symlinkSync(join(original.home, 'archive'), join(shop.home, 'archive'));
  expect(await shop.offerline('restore', place, '--resume', 'live')).toMatchObject({ status: 4 });
  original.deliver('north', 'wednesday.csv', goodRows(16, 'north'));
  expect(await original.ingest('north')).toMatchObject({ outcome: 'live' });
  await control.clear();
  expect(await shop.offerline('restore', '--resume', 'live')).toMatchObject({ status: 0 });
  expect(await shop.offerline('runs')).toMatchObject({ status: 0 });
  const refused = await original.offerline('pause', 'north', '--reason', 'x');
  expect(refused).toMatchObject({ status: 2 });
  expect(refused.stderr).toContain('it goes on in its place, and the archive stays with it');
  expect(refused.stderr).not.toContain('id.json');
});

type Answer = { resumed: object[] };

describe('an upload was open when the backup was made, has ended at the service, and something else is live', () => {
  /** Sunday is live, Monday was under way when the backup was made, Tuesday went live after it; the home is lost. */
  async function backedUpMeanwhile() {
    const service = await sandboxForTest({ control: true });
    const control = controlOf(service.url);
    const shop = install({ service: { baseUrl: service.url }, feeds: { north: {}, south: {} } });
    const deliver = async (day: string, rows: number) => {
      for (const feed of ['north', 'south']) {
        shop.deliver(feed, `${day}.csv`, goodRows(rows, feed));
        expect(await shop.ingest(feed)).toMatchObject({ outcome: 'live' });
      }
    };
    await deliver('sunday', 10);
    await control.faults({ fault: 'slow', for: '1h' });
    shop.deliver('north', 'monday.csv', goodRows(11, 'north'));
    const monday = shop.start('ingest', 'north', '--wait');
    await until(async () => ((await service.offers())[0]?.state === 'processing' ? true : undefined));
    const place = join(tempFolder(), 'backups');
    expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
    await control.advance('1h');
    expect(await monday.ended).toMatchObject({ status: 0 });
    await deliver('tuesday', 12);
    await shop.release();
    await endPrivateRedis(shop.home);
    rmSync(shop.home, { recursive: true });
    return { shop, place, service };
  }

  /** Works until nothing is open any more. */
  async function workToTheEnd(shop: Installation): Promise<void> {
    const worker = shop.start('worker');
    const json = async (command: string) => JSON.parse((await shop.offerline(command, '--json')).stdout) as unknown;
    await until(async () => {
      const runs = (await json('runs')) as { stage: string }[];
      const logins = (await json('logins')) as { open: unknown }[];
      const rests = runs.every(({ stage }) => stage === 'done') && logins.every(({ open }) => open === null);
      return rests ? true : undefined;
    });
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ status: 0 });
  }

  test('`live` takes over what is live, fetches all feeds, and sends nothing', async () => {
    const { shop, place, service } = await backedUpMeanwhile();
    const { stdout } = await shop.offerline('restore', place);
    expect(stdout).toMatch(
      /an upload was open when the backup was made \(\w+\); the service has ended it, and something else is live: its deliveries are composed again/u,
    );
    const { resumed } = JSON.parse((await shop.offerline('restore', '--resume', 'live', '--json')).stdout) as Answer;
    expect(resumed).toMatchObject([{ login: 'main', done: 'taken-over', rows: 24, fetches: ['north', 'south'] }]);
    const before = await service.offers();
    await workToTheEnd(shop);
    expect(await service.offers()).toEqual(before);
    expect((await shop.offerline('status')).stdout).toContain('All clear');
    shop.deliver('north', 'wednesday.csv', goodRows(13, 'north'));
    expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
    expect((await service.offers())[0]).toMatchObject({ linesProcessed: 25 });
  });

  test('`backup` sends what the backup knows as live again, and then what was under way', async () => {
    const { shop, place, service } = await backedUpMeanwhile();
    const chosen = await shop.offerline('restore', place, '--resume', 'backup', '--json');
    const { resumed } = JSON.parse(chosen.stdout) as Answer;
    expect(resumed).toMatchObject([{ login: 'main', done: 'sent-again', rows: 20 }]);
    const before = (await service.offers()).length;
    await workToTheEnd(shop);
    const [monday, sunday] = await service.offers();
    expect(await service.offers()).toHaveLength(before + 2);
    expect(sunday).toMatchObject({ linesProcessed: 20 });
    expect(monday).toMatchObject({ linesProcessed: 21 });
    expect((await shop.offerline('status')).stdout).toContain('All clear');
  });
});
