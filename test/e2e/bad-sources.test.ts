import { rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { expectNoSecret, expectPlain, goodFile, liveShop } from '../support/bad-input.ts';
import { serve, type TestServer } from '../support/http-server.ts';

const SECRETS = ['hunter2', Buffer.from('shop:hunter2').toString('base64'), 'k3y-of-the-shop'];

let supplier: TestServer;
let reply: RequestListener;
let world: Awaited<ReturnType<typeof liveShop>>;

function configOf(url: string) {
  const auth = { type: 'basic', user: 'shop', password: 'hunter2' };
  return { feeds: { north: { source: { type: 'http', url, auth, timeout: '300ms' } } } };
}

beforeAll(async () => {
  supplier = await serve((request, response) => reply(request, response));
  reply = (_, response) => response.end(goodFile('A'));
  world = await liveShop(configOf(`${supplier.url}/prices.csv?key=k3y-of-the-shop`));
});

test.for<[what: string, listener: RequestListener, reasons: string[], requests: number]>([
  [
    'wants other credentials (401)',
    (request, response) => response.writeHead(401).end(`who is ${request.headers.authorization}?`),
    ['answered 401', 'correct source.auth'],
    1,
  ],
  ['has no such file (404)', (_, response) => response.writeHead(404).end(), ['answered 404', 'source.url'], 1],
  ['has a fault (500)', (_, response) => response.writeHead(500).end(), ['answered 500', '(Tried 3 times.)'], 3],
  ['is silent', () => undefined, ['was silent for 0.3 s (source.timeout)', '(Tried 3 times.)'], 3],
  [
    'breaks off in mid-file',
    (_, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write(goodFile('B'));
      setTimeout(() => response.destroy(), 20);
    },
    ['closed the connection before all 1000 bytes had arrived', '(Tried 3 times.)'],
    3,
  ],
  [
    'stops in mid-file',
    (_, response) => void response.writeHead(200, { 'content-length': 1000 }).write(goodFile('B')),
    ['was silent for 0.3 s (source.timeout)', '(Tried 3 times.)'],
    3,
  ],
  [
    'shows a page to log in',
    (_, response) => response.end('<!doctype html><title>Please log in</title>'),
    ['sent a web page, "Please log in", instead of a file'],
    1,
  ],
])('a supplier that %s: the pull fails, and the next one works', async ([, listener, reasons, requests]) => {
  const { shop, service } = world;
  const before = await service.offers();
  reply = listener;
  supplier.requests.length = 0;
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'failed', status: 4, delivery: null, upload: null });
  for (const reason of [`${supplier.url}/prices.csv?key=…`, ...reasons]) expect(answer.reason).toContain(reason);
  expect(supplier.requests).toHaveLength(requests);
  expectPlain(answer);
  expectNoSecret(shop, SECRETS, answer);
  expect(await service.offers()).toEqual(before);

  reply = (_, response) => response.end(goodFile(`N${before.length}N`));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', status: 0, delivery: { name: 'prices.csv' } });
});

test('an address where nobody listens: said with what to look at', async () => {
  const { shop, service } = world;
  const before = await service.offers();
  shop.configure({ ...configOf('http://127.0.0.1:1/prices.csv'), service: { baseUrl: service.url } });
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'failed', status: 4, upload: null });
  expect(answer.reason).toContain(
    'http://127.0.0.1:1/prices.csv refused the connection; check that the server is running',
  );
  expectPlain(answer);
  expect(await service.offers()).toEqual(before);
});

test('a folder that does not exist: named with its setting, and the feed goes on when it is there', async () => {
  const { shop, expectUntouched } = await liveShop();
  const folder = join(shop.folder, 'inbox', 'north');
  rmSync(folder, { recursive: true });
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'failed', status: 4, upload: null });
  expect(answer.reason).toBe(`The folder ${folder} does not exist. Create it, or correct source.path of the feed.`);
  expectPlain(answer);
  await expectUntouched();

  shop.deliver('north', '2.csv', goodFile('B'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', status: 0 });
});

test('an empty folder is no failure: nothing was delivered', async () => {
  const { shop, expectUntouched } = await liveShop();
  rmSync(join(shop.folder, 'inbox', 'north', '1-good.csv'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'nothing', status: 0, upload: null });
  await expectUntouched();
});
