import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../support/http-server.ts';
import { install, type Installation } from '../support/installation.ts';
import { ledgerRows } from '../support/ledger-rows.ts';
import { rehearse } from '../support/rehearse.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const FILE = 'brand;oem;name;tags\nBOSCH;0 986 424 797;Brake pads;brakes,front\nATE;13.0460-7184.2;Brake pads;brakes\n';

/** All files of the real home that matter, rehearsals left out. */
function filesOf(shop: Installation): string[] {
  return readdirSync(shop.home, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?:archive|outbox|reports|sandbox)\//.test(path))
    .sort();
}

test('a rehearsal shows what would happen and touches nothing real', async () => {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    feeds: { north: { priority: 1 }, south: {} },
    logins: { main: { coalesce: '0s', guard: { maxRejected: '50%' } } },
    managers: [{ email: 'boss@example.com', when: ['always'] }],
  });
  shop.deliver('north', 'a.csv', FILE);
  shop.deliver('south', 'b.csv', 'brand,oem\nATE,13.0460-7184.2\nSACHS,311 411\n');
  await shop.ingest('north');
  await shop.ingest('south');
  const before = {
    ledger: ledgerRows(join(shop.home, 'ledger.sqlite')),
    bytes: readFileSync(join(shop.home, 'ledger.sqlite')),
    files: filesOf(shop),
  };
  const offers = await service.offers();

  shop.deliver(
    'south',
    'c.csv',
    'brand,oem,tags\nSACHS,311 411,clutch\nNONSUCH,1,\n;2,\nLUK,3,clutch\n'.replaceAll(';', ','),
  );
  const answer = await rehearse(shop, 'south');
  expect(answer).toMatchObject({
    status: 0,
    sandbox: true,
    rehearsal: true,
    outcome: 'partial',
    delivery: { name: 'c.csv' },
    rows: { read: 4, accepted: 3, rejectedLocally: 1, contributed: 3, rejectedRemotely: 1, live: 2, unexplained: 0 },
    // The other feed's rows are part of what would be live.
    dataset: { rows: 5, feeds: { north: 2, south: 3 } },
    receipt: { verified: true },
  });
  expect(answer.home.startsWith(join(shop.home, 'rehearsals'))).toBe(true);
  expect(answer.reports?.html.startsWith(answer.home)).toBe(true);
  expect(readFileSync(answer.reports?.html ?? '', 'utf8')).toContain('SANDBOX');
  expect(readdirSync(join(answer.home, 'outbox'))).toHaveLength(1);

  expect(ledgerRows(join(shop.home, 'ledger.sqlite'))).toBe(before.ledger);
  expect(readFileSync(join(shop.home, 'ledger.sqlite')).equals(before.bytes)).toBe(true);
  expect(filesOf(shop)).toEqual(before.files);
  expect(await service.offers()).toEqual(offers);
  expect(await shop.ingest('south')).toMatchObject({ outcome: 'partial', delivery: { name: 'c.csv' }, sandbox: false });
});

test('guards look at what is really live, and the exit status is that of ingest', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  const rows = Array.from({ length: 10 }, (_, at) => `BOSCH;${at + 1}`).join('\n');
  const path = shop.deliver('north', 'a.csv', `brand;oem\n${rows}\n`);
  await shop.ingest('north');
  expect(await rehearse(shop, 'north')).toMatchObject({ status: 0, outcome: 'unchanged' });
  await shop.offerline('pause', 'north', '--reason', 'stocktaking');
  const forced = await rehearse(shop, 'north', '--force');
  expect(forced).toMatchObject({ status: 0, outcome: 'live' });
  expect(forced.stderr).toContain('The feed north is paused; without --rehearse nothing would run.');
  const shrunken = `${path}.small.csv`;
  shop.deliver('north', 'a.csv.small.csv', 'brand;oem\nBOSCH;1\n');
  expect(await rehearse(shop, 'north', '--file', shrunken)).toMatchObject({
    status: 3,
    outcome: 'held',
    reason: expect.stringContaining('shrank by 90%') as string,
  });
  shop.deliver('north', 'a.csv.small.csv', 'no table at all');
  expect(await rehearse(shop, 'north', '--file', shrunken)).toMatchObject({ status: 3, outcome: 'rejected' });
});

test('an installation without a history can rehearse; nothing is made but the rehearsal', async () => {
  const shop = install({ service: { baseUrl: 'http://127.0.0.1:1' } });
  const path = shop.deliver('north', 'a.csv', FILE);
  const { status, stdout, stderr } = await shop.offerline('ingest', 'north', '--file', path, '--rehearse');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^REHEARSAL against a private sandbox: nothing real was touched\.\n/);
  expect(stdout).toMatch(/\nrehearsal {2}.*\/home\/rehearsals\/\S+$/m);
  expect(stderr).toContain('north: ');
  expect(readdirSync(shop.home)).toEqual(['rehearsals']);
});

test('sources at an address are only read, with the shared servers of the installation left alone', async () => {
  const supplier = await serve((_, response) => response.end(FILE));
  const dead = 'redis://127.0.0.1:1';
  const shop = install(
    { feeds: { north: { source: { type: 'http', url: `${supplier.url}/a.csv` } } } },
    {
      REDIS_URL: dead,
      SMTP_URL: 'smtp://127.0.0.1:1',
    },
  );
  expect(await rehearse(shop, 'north')).toMatchObject({ status: 0, outcome: 'live' });
  expect(supplier.requests.map(({ method }) => method)).toEqual(['GET']);
});

test('a wrong feed or file is said, and no rehearsal is made', async () => {
  const shop = install();
  for (const args of [['nord'], ['north', '--file', 'absent.csv']]) {
    const { status, stderr } = await shop.offerline('ingest', ...args, '--rehearse');
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^There is no (feed "nord"|file absent)/)]);
  }
  expect(existsSync(join(shop.home, 'rehearsals'))).toBe(false);
});

test('only the newest ten rehearsals are kept', async () => {
  const shop = install();
  const folder = join(shop.home, 'rehearsals');
  const old = Array.from({ length: 12 }, (_, at) => `20200101-0000${10 + at}-abcde`);
  for (const name of old) {
    mkdirSync(join(folder, name), { recursive: true });
    utimesSync(join(folder, name), 1_577_836_800, 1_577_836_800);
  }
  mkdirSync(join(shop.folder, 'inbox', 'north'), { recursive: true });
  const { home, outcome } = await rehearse(shop, 'north');
  expect(outcome).toBe('nothing');
  expect(readdirSync(folder).sort()).toEqual([...old.slice(3), basename(home)]);
});
