import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const FILE = 'brand;oem;name;tags\nBOSCH;0 986 424 797;Brake pads;brakes,front\nATE;13.0460-7184.2;Brake pads;brakes\n';

test('a supplier file becomes the live dataset, and the answer explains every row', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  shop.deliver(
    'north',
    'prices.csv',
    iconv.encode(
      'Бренд;Артикул;Наименование\r\nATE;13.04;Колодки\r\n;77;Диск\r\nATE;13-04;Колодки\r\nNONSUCH;5;Диск\r\n',
      'windows-1251',
    ),
  );
  shop.configure({ service: { baseUrl: service.url }, logins: { main: { guard: { maxRejected: '50%' } } } });
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({
    status: 0,
    feed: 'north',
    login: 'main',
    sandbox: false,
    outcome: 'partial',
    delivery: { name: 'prices.csv' },
    dialect: { charset: 'windows-1251', bom: false, delimiter: ';', newline: '\r\n', header: true },
    rows: {
      read: 4,
      expanded: 0,
      accepted: 2,
      rejectedLocally: 1,
      duplicates: 1,
      outranked: 0,
      contributed: 2,
      rejectedRemotely: 1,
      live: 1,
      unexplained: 0,
    },
    dataset: { rows: 2, rejectedRemotely: 1, live: 1, feeds: { north: 2 } },
    upload: { offerId: '9007199254740993', state: 'success', attempts: 1, adopted: false },
    receipt: { verified: true },
    issues: { 'brand-empty': 1, duplicate: 1 },
    rejections: [{ line: 5, file: 'prices.csv', brand: 'NONSUCH', oem: '5', match: 'exact' }],
  });
  for (const path of Object.values(answer.reports ?? {})) expect(existsSync(path)).toBe(true);
  expect(await service.source('9007199254740993')).toBe(
    'brand\toem\tname\ttags\nATE\t13.04\tКолодки\t\nNONSUCH\t5\tДиск\t\n',
  );
});

test('the last supplier does not erase the others: a login has one dataset of all its feeds', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, feeds: { north: { priority: 1 }, south: {} } });
  shop.deliver('north', 'a.csv', FILE);
  shop.deliver('south', 'b.csv', 'brand,oem\nATE,13.0460-7184.2\nSACHS,311 411\n');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 2 } });
  expect(await shop.ingest('south')).toMatchObject({
    outcome: 'live',
    rows: { read: 2, accepted: 2, outranked: 1, contributed: 1, live: 1 },
    dataset: { rows: 3, live: 3, feeds: { north: 2, south: 1 } },
  });
  const [newest] = await service.offers();
  expect((await service.source(newest?.id ?? '')).split('\n')).toHaveLength(5);
});

test('the same bytes are not sent again, unless they are forced or the settings changed', async () => {
  const service = await sandboxForTest();
  const config = { service: { baseUrl: service.url } };
  const shop = install(config);
  shop.deliver('north', 'a.csv.gz', gzipSync(FILE));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged', status: 0, upload: null });
  shop.deliver('north', 'copy.csv.gz', gzipSync(FILE));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  shop.configure({ ...config, feeds: { north: { onBadRow: 'reject-file' } } });
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'unchanged',
    reason: expect.stringContaining('equals the live one'),
  });
  expect(await service.offers()).toHaveLength(1);
  expect(await shop.ingest('north', '--force')).toMatchObject({ outcome: 'live' });
  expect(await service.offers()).toHaveLength(2);
});

test('--strict tells rejected rows apart by the exit status', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  const path = shop.deliver('elsewhere', 'c.csv', `${FILE}NONSUCH;1;x;\n`);
  expect(await shop.ingest('north', '--strict', '--file', path)).toMatchObject({ outcome: 'partial', status: 5 });
});

test('managers get a mail, stamped when the sandbox stood in for the service', async () => {
  const shop = install({ managers: [{ email: 'brakes@example.com', when: ['always'] }] });
  shop.deliver('north', 'a.csv', FILE);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', sandbox: true });
  const [mail = ''] = readdirSync(join(shop.home, 'outbox'));
  const text = readFileSync(join(shop.home, 'outbox', mail), 'utf8');
  expect(text).toContain('To: brakes@example.com');
  expect(text).toMatch(/^Subject: .*SANDBOX/m);
});

test('a guard holds a file that shrank, and the last good dataset stays live', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  const rows = Array.from({ length: 10 }, (_, at) => `BOSCH;${at + 1};Part;\n`).join('');
  shop.deliver('north', 'a.csv', `brand;oem;name;tags\n${rows}`);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  shop.deliver('north', 'b.csv', FILE);
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'held',
    status: 3,
    reason: expect.stringContaining('maxRowDrop'),
  });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'held', status: 3 });
  expect(await service.offers()).toHaveLength(1);
});

test('a re-run works from the archive when the source has gone', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  const path = shop.deliver('elsewhere', 'c.csv', FILE);
  const first = await shop.ingest('north', '--file', path);
  const again = await shop.offerline('rerun', first.run, '--from', 'validate', '--wait', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({
    outcome: 'live',
    delivery: { sha256: first.delivery?.sha256 },
    rows: { read: 2 },
  });
  const report = await shop.offerline('rerun', first.run, '--from', 'report', '--wait', '--json');
  expect(JSON.parse(report.stdout)).toMatchObject({ run: first.run, outcome: 'live' });
});
