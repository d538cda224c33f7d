import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { controlOf } from '../support/control.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const POLL = { initial: '50ms', max: '200ms', settle: '5s', patience: '60s', deadline: '10m', index: '1s' };

type Reply = { status: number; headers: IncomingMessage['headers']; body: Buffer };

async function pass(url: string, request: IncomingMessage, body: Buffer): Promise<Reply> {
  const { host: _, ...headers } = request.headers;
  const upstream = ask(url, { method: request.method ?? 'GET', headers });
  upstream.end(body);
  const [reply] = (await once(upstream, 'response')) as [IncomingMessage];
  return { status: reply.statusCode ?? 502, headers: reply.headers, body: await buffer(reply) };
}

/**
 * A proxy that sends each upload a second time and passes on what the service says to that, before a list that is a copy of
 * some time ago.
 */
async function resendingProxy(target: string, lag: number): Promise<string> {
  const lists: { at: number; reply: Reply }[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const url = `${target}${request.url}`;
    const isUpload = request.url?.includes('/offer/process') === true;
    if (isUpload) await pass(url, request, body);
    let reply = await pass(url, request, body);
    if (request.url?.includes('/offer/list') === true) {
      const now = performance.now();
      lists.push({ at: now, reply });
      reply = lists.findLast(({ at }) => at <= now - lag)?.reply ?? { ...reply, body: Buffer.from(EMPTY) };
    }
    response.writeHead(reply.status, { ...reply.headers, 'content-length': reply.body.length }).end(reply.body);
  };
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const EMPTY = '{"data":[],"requestId":"r"}';

const FILE = 'brand;oem\nBOSCH;1\nBOSCH;2\n';

test('409 to the second copy of an accepted upload, with a list that lags three seconds: it is uploaded once', async () => {
  const service = await sandboxForTest({ control: true, pace: { queued: 300, processing: 1000 } });
  const baseUrl = await resendingProxy(service.url, 3000);
  const shop = install({ service: { baseUrl, poll: POLL } });
  shop.deliver('north', 'a.csv', FILE);
  const first = await shop.ingest('north');
  shop.deliver('north', 'b.csv', FILE);
  const second = await shop.ingest('north');
  const arrived = await controlOf(service.url).uploads();
  expect(arrived.map(({ outcome }) => outcome)).toEqual(['accepted', 'refused']);
  expect(first.stderr).toContain('answered 409');
  expect(first.stderr).toContain('checking whether the service accepted the file anyway');
  expect(first).toMatchObject({ outcome: 'live', upload: { attempts: 1, adopted: true } });
  expect(second).toMatchObject({ outcome: 'unchanged' });
});

test('400 and nothing behind it: it is refused after the settle window, and said', async () => {
  const service = await sandboxForTest({ control: true });
  const control = controlOf(service.url);
  await control.faults({ fault: 'refuse', status: 400, message: 'the header is not right' });
  const shop = install({ service: { baseUrl: service.url, poll: { ...POLL, settle: '1s' } } });
  shop.deliver('north', 'a.csv', FILE);
  const run = await shop.ingest('north');
  expect(run).toMatchObject({ status: 4, outcome: 'failed', upload: { state: 'refused', attempts: 1 } });
  expect(run.reason).toContain('the header is not right');
  expect(run.stderr).toContain('checking whether the service accepted the file anyway; look 4 saw nothing');
  expect(await service.offers()).toEqual([]);
});

test.each([
  ['that asks for two seconds', { retryAfter: '2s' }],
  ['that asks for nothing', {}],
])('429 %s: it is asked again in that time, not after the settle window of an hour', async (_, more) => {
  const service = await sandboxForTest({ control: true });
  const control = controlOf(service.url);
  await control.faults({ fault: 'refuse', status: 429, times: 3, ...more });
  const shop = install({ service: { baseUrl: service.url, poll: { ...POLL, settle: '1h' } } });
  shop.deliver('north', 'a.csv', FILE);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', upload: { attempts: 1, adopted: false } });
  const refused = (await control.uploads()).map(({ outcome }) => outcome);
  expect(refused.at(-1)).toBe('accepted');
  expect(await service.offers()).toHaveLength(1);
});
