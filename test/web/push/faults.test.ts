import { createHash } from 'node:crypto';
import { cpSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { endOf, goodRows } from '../../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { freePort } from '../../support/free-port.ts';
import { install } from '../../support/installation.ts';
import { fillDisk, mountDisk } from '../../support/small-disk.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';

const FEEDS = { north: { source: { type: 'push', pattern: '*.csv' } } };

let served: ConsoleUnderTest;
let ops: Client;
let secret: string;

beforeAll(async () => {
  served = await openConsole({ feeds: FEEDS });
  ops = await served.signIn('ops');
  secret = (await served.shop.offerline('token', 'add', 'supplier', '--push', 'north')).stdout.trim();
});

async function put(name: string, body: string | ReadableStream, to = served.url, key?: string, range?: string) {
  const reply = await fetch(`${to}/api/v1/feeds/north/deliveries/${name}`, {
    method: 'PUT',
    body,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(range === undefined ? {} : { 'content-range': range }),
    },
    ...(typeof body === 'string' ? {} : { duplex: 'half' }),
  });
  return { status: reply.status, answer: (await reply.json()) as Record<string, string> };
}

function ledger(options: { readOnly: boolean }): DatabaseSync {
  return new DatabaseSync(join(served.shop.home, 'ledger.sqlite'), options);
}

function pushes(): { name: string; run: string }[] {
  using db = ledger({ readOnly: true });
  return db.prepare('select name, run from pushed order by at').all() as { name: string; run: string }[];
}

test('two consoles of one ledger take the same file once', async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  const baseUrl = served.service.url;
  const other = install({ feeds: FEEDS, service: { baseUrl }, web: { listen } }, { OFFERLINE_HOME: served.shop.home });
  const up = other.start('up');
  const url = await until(() => /"url":"([^"]+)\/","msg":"console ready"/u.exec(up.stderr())?.[1]);
  const list = goodRows(12, 'north');
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, at) => put('both.csv', list, at % 2 === 0 ? served.url : url, 'the same key')),
  );
  expect(all.filter(({ status }) => status === 202)).toHaveLength(1);
  expect(all.filter(({ status }) => status === 200)).toHaveLength(11);
  expect(pushes().filter(({ name }) => name === 'both.csv')).toHaveLength(1);
  up.child.kill('SIGTERM');
  await up.ended;
});

test('a process that is killed between archive and ledger has taken nothing, and the same is taken afterwards', async () => {
  // The use of the token is written down, so that what follows writes the delivery first.
  expect((await put('first.csv', goodRows(10, 'north'))).status).toBe(202);
  const list = goodRows(11, 'north');
  const sha256 = createHash('sha256').update(list).digest('hex');
  const archived = join(served.shop.home, 'archive', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  const before = pushes();
  {
    using held = ledger({ readOnly: false });
    held.exec('begin immediate');
    const answered = put('killed.csv', list).catch(() => null);
    await until(() => (existsSync(archived) ? true : undefined));
    served.up().child.kill('SIGKILL');
    await served.up().ended;
    expect(await answered).toBeNull();
    held.exec('rollback');
  }
  expect(pushes()).toEqual(before);
  await served.restart();
  const { status, answer } = await put('killed.csv', list);
  expect(status).toBe(202);
  expect(await endOf(answer['run']!, ops)).toMatchObject({
    outcome: expect.stringMatching(/live|unchanged/u) as string,
  });
});

test('a process that is killed just after 202 loses nothing: the run takes the file once another one works', async () => {
  // What an earlier test started has ended with it.
  await served.restart();
  const { status, answer } = await put('promised.csv', goodRows(16, 'north'));
  served.up().child.kill('SIGKILL');
  await served.up().ended;
  expect(status).toBe(202);
  await served.restart();
  expect(await endOf(answer['run']!, ops)).toMatchObject({ outcome: 'live', rows: { accepted: 16 } });
});

test('an archive without room takes nothing, whether or not the length was said', async ({ skip }) => {
  const archive = join(served.shop.home, 'archive');
  const copy = join(tempFolder(), 'archive');
  served.up().child.kill('SIGTERM');
  await served.up().ended;
  cpSync(archive, copy, { recursive: true });
  if (!mountDisk(archive, '16m')) return skip('only root can mount a small disk');
  cpSync(copy, archive, { recursive: true });
  await served.restart();
  const ballast = join(archive, 'tmp', 'ballast');
  fillDisk(ballast);
  const before = pushes();
  const said = await put('full.csv', goodRows(2000, 'north'));
  expect(said).toMatchObject({ status: 507, answer: { code: 'disk-full' } });
  const unsaid = await put('full.csv', new Blob([goodRows(2000, 'north')]).stream());
  expect(unsaid).toMatchObject({ status: 507, answer: { code: 'disk-full' } });
  // Of a disk that is nearly full the last room is for other work.
  truncateSync(ballast, statSync(ballast).size - 500_000);
  expect(await put('full.csv', goodRows(13, 'north'))).toMatchObject({ status: 507, answer: { code: 'disk-full' } });
  // What came in parts lies on the disk of the home, and has to be copied to that of the archive.
  const list = goodRows(14, 'north');
  const whole = `bytes 0-${list.length - 1}/${list.length}`;
  const inParts = await put('parts.csv', list, served.url, undefined, whole);
  expect(inParts).toMatchObject({ status: 507, answer: { code: 'disk-full' } });
  // Nor is a file taken from a form of the console.
  const form = new FormData();
  form.set('feed', 'north');
  form.set('file', new File([goodRows(15, 'north')], 'form.csv'));
  const headers = { cookie: ops.cookie(), origin: served.url };
  const byForm = await fetch(`${served.url}/check/deliver`, { method: 'POST', body: form, headers });
  expect(byForm.status).toBe(507);
  expect(await byForm.text()).toContain('has no room for');
  expect((await ops.get('/api/v1/status')).status).toBe(200);
  expect(pushes()).toEqual(before);
  rmSync(ballast);
  // What has come stays: its last byte is enough.
  const last = await put(
    'parts.csv',
    list.slice(-1),
    served.url,
    undefined,
    `bytes ${list.length - 1}-${list.length - 1}/${list.length}`,
  );
  expect(last.status).toBe(202);
  expect((await put('full.csv', goodRows(13, 'north'))).status).toBe(202);
});
