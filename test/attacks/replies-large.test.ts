import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { serve } from '../support/http-server.ts';
import { install, type Installation } from '../support/installation.ts';
import { scriptedService } from '../support/scripted-service.ts';

/* Replies that are far too large, packed or poisoned: bounded in memory, on disk, in the ledger and in mails. */

const MEGABYTE = 1024 * 1024;
const HUGE = 'no such brand; '.repeat((5 * MEGABYTE) / 15);

function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function shopAt(url: string, more: Record<string, unknown> = {}): Installation {
  const shop = install({
    service: { baseUrl: url },
    managers: [{ email: 'ops@example.com', when: ['always', 'problem'] }],
    ...more,
  });
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\nBOSCH;2\n');
  return shop;
}

test('a text of 5 MB with which the service fails an upload stays small in ledger, answer and mails', async () => {
  const service = await scriptedService();
  service.fate({ state: 'failed', error: HUGE });
  const shop = shopAt(service.url);
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'failed' });
  expect(answer.reason).toContain('no such brand');
  expect(JSON.stringify(answer).length).toBeLessThan(20_000);
  expect(bytesBelow(join(shop.home, 'outbox'))).toBeLessThan(200_000);
  expect(bytesBelow(shop.home)).toBeLessThan(3 * MEGABYTE);
});

test('messages of 900,000 characters in the .errors file are cut in what is kept of rejections', async () => {
  const service = await scriptedService();
  service.fate({ errors: `message\tbrand\toem\n${'x'.repeat(900_000)}\tBOSCH\t1\n${'y'.repeat(900_000)}\tBOSCH\t2\n` });
  const shop = shopAt(service.url);
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ rejectionsTotal: 2, rows: { rejectedRemotely: 2, live: 0 } });
  expect(JSON.stringify(answer).length).toBeLessThan(20_000);
  expect(bytesBelow(join(shop.home, 'outbox'))).toBeLessThan(200_000);
});

test('a refusal of 5 MB is told in a line', async () => {
  const service = await scriptedService();
  service.answer('process', { status: 400, body: HUGE });
  const shop = shopAt(service.url);
  const answer = await shop.ingest('north');
  expect(JSON.stringify(answer).length).toBeLessThan(20_000);
  expect(bytesBelow(shop.home)).toBeLessThan(3 * MEGABYTE);
});

test('downloads over limits.downloadSize end, are said, and leave nothing behind', async () => {
  const service = await scriptedService();
  service.fate({ errors: `message\tbrand\toem\n${'no such part\tBOSCH\t1\n'.repeat(200_000)}` });
  const shop = shopAt(service.url, { limits: { downloadSize: '1MB' } });
  const answer = await shop.ingest('north');
  expect(answer.outcome).not.toBeNull();
  expect(JSON.stringify([answer, (await shop.offerline('show', answer.run)).stdout])).toContain('limits.downloadSize');
  expect(bytesBelow(join(shop.home, 'archive'))).toBeLessThan(MEGABYTE);
});

test('a file that its transfer packed a thousandfold is refused before it fills the disk', async () => {
  const packed = gzipSync(Buffer.alloc(200 * MEGABYTE, 'brand;oem\n'.slice(0, 1)), { level: 9 });
  const supplier = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed));
  const service = await scriptedService();
  const shop = shopAt(service.url, {
    feeds: { north: { source: { type: 'http', url: `${supplier.url}/a.csv` } } },
  });
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({
    outcome: 'rejected',
    status: 3,
    reason: expect.stringContaining('limits.unpackRatio') as string,
  });
  expect(bytesBelow(shop.home)).toBeLessThan(10 * MEGABYTE);
});

test.each([
  ['comments without end', '<!--'],
  ['CDATA without end', '<![CDATA['],
  ['tags without end', '<a '],
  ['elements', '<b/>'],
])('a catalog that answers 4 MB of %s is refused or read within the time of a test', async (_name, piece) => {
  const poison = `<FindVehicle>${piece.repeat((4 * MEGABYTE) / piece.length)}</FindVehicle>`;
  const catalog = await serve((_, response) => response.writeHead(200, { 'content-type': 'text/xml' }).end(poison));
  const shop = install({ service: { baseUrl: catalog.url, catalogForm: 'command', retries: 0 } });
  const { status, stderr } = await shop.offerline('api', 'findVehicle', '--param', 'identString=WAU', '--json');
  expect(status).toBe(4);
  expect(stderr.length).toBeLessThan(2000);
});
