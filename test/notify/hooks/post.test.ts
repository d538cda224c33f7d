import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { secret } from '../../../src/config/secrets/secret.ts';
import { postMessage } from '../../../src/notify/hooks/post.ts';
import { answering, HOOK_SECRET, isSigned, receiveHooks } from '../../support/hook-receiver.ts';
import { serve } from '../../support/http-server.ts';
import { load } from '../../config/config-file.ts';
import { onLoopback } from '../../support/servers/on-loopback.ts';

const MESSAGE = { id: 'evt_1', body: '{"type":"hook.test"}' };
const NOW = Date.UTC(2026, 4, 4);

function post(
  url: string,
  {
    allowHosts = ['127.0.0.1'],
    timeout = 5000,
    signal = new AbortController().signal,
    mayStill = (): boolean => true,
  } = {},
) {
  const hook = { url: secret(url), secret: [secret(HOOK_SECRET)], timeout, allowHosts };
  return postMessage(hook, MESSAGE, { now: NOW, signal, mayStill });
}

test('a message is posted as JSON, signed', async () => {
  const { url, received } = await receiveHooks();
  expect(await post(`${url}/in`)).toEqual({ taken: true, status: 204 });
  expect(received[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(NOW / 1000),
  });
  expect(isSigned(received[0]!, HOOK_SECRET)).toBe(true);
});

test('nothing is sent by whom another took the hook from while the connection was made', async () => {
  const { url, received } = await receiveHooks();
  const outcome = await post(url, { mayStill: () => false });
  expect(outcome).toMatchObject({ taken: false, why: 'was not asked: another worker tells it' });
  expect(received).toEqual([]);
});

test.each([
  [500, 'hook'],
  [429, 'hook'],
  [401, 'hook'],
  [404, 'hook'],
  [410, 'gone'],
  [400, 'message'],
  [413, 'message'],
  [422, 'message'],
] as const)('an answer of %i is about the %s', async (status, about) => {
  const { url } = await receiveHooks(answering(status, {}, 'no  such\nchannel'));
  expect(await post(url)).toEqual({
    taken: false,
    about,
    why: `answered ${status}`,
    said: 'no such channel',
    retryAfter: null,
  });
});

test('it is waited as long as the hook asks', async () => {
  const { url } = await receiveHooks(answering(503, { 'retry-after': '120' }));
  expect(await post(url)).toMatchObject({ taken: false, retryAfter: 120_000 });
});

test('a redirect is not followed', async () => {
  const elsewhere = await receiveHooks();
  const { url } = await receiveHooks(answering(307, { location: `${elsewhere.url}/` }));
  expect(await post(url)).toMatchObject({ taken: false, about: 'hook', why: expect.stringContaining('a redirect') });
  expect(elsewhere.received).toEqual([]);
});

test('what a receiver does instead of answering is said', async () => {
  const hangs = await serve(() => undefined);
  expect(await post(hangs.url, { timeout: 100 })).toMatchObject({ why: 'did not answer within 0.1 s' });
  const cuts = await serve((_request, response) => void response.socket?.destroy());
  expect(await post(cuts.url)).toMatchObject({ why: 'closed the connection before it answered' });
  const drips = await serve((_request, response) => {
    response.writeHead(200);
    response.write('x');
  });
  // It has said that it took it; what it drips after that is nobody's business.
  expect(await post(drips.url, { timeout: 100 })).toEqual({ taken: true, status: 200 });
  expect(await post('http://127.0.0.1:1')).toMatchObject({ why: 'refused the connection' });
  const server = createServer((socket) => void socket.end('who is there?\r\n'));
  const { port } = await onLoopback(server);
  expect(await post(`http://127.0.0.1:${port}`)).toMatchObject({ taken: false, about: 'hook' });
});

test('an endless answer is read to a limit only', async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(500);
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
      response.once('drain', write);
    };
    write();
  });
  expect(await post(url)).toEqual({ taken: false, about: 'hook', why: 'answered 500', said: null, retryAfter: null });
});

test('a secret that the receiver repeats is not shown', async () => {
  const { url } = await receiveHooks(answering(400, {}, `no: ${HOOK_SECRET}`));
  expect(await post(url)).toMatchObject({ said: 'no: [secret]' });
});

test('nor is an address of which it repeats the path, a part of it or its query', async () => {
  const path = '/services/T0AB/xoqzkqvnwpxyuhtb';
  const address = `https://hooks.example.com${path}?code=tulip7-zq`;
  await load(hooked(address));
  for (const said of [address, `${path}?code=tulip7-zq`, path, 'no xoqzkqvnwpxyuhtb', 'tulip7-zq']) {
    const { url } = await receiveHooks(answering(404, {}, `cannot POST ${said}`));
    const outcome = await post(url);
    expect(outcome).toMatchObject({ why: 'answered 404', said: expect.stringContaining('[secret]') });
    expect(JSON.stringify(outcome)).not.toMatch(/xoqzk|tulip7/u);
  }
  const { url } = await receiveHooks(answering(404, {}, 'the services are away'));
  expect(await post(url)).toMatchObject({ said: 'the services are away' });
});

function hooked(url: string): string {
  const feeds = { north: { login: 'main', source: { type: 'directory', path: '.' } } };
  return JSON.stringify({ logins: { main: {} }, feeds, hooks: { chat: { url, format: 'slack' } } });
}

test('where a name leads is not said: whoever sees the host may not know the inside of the network', async () => {
  const { url } = await receiveHooks();
  const outcome = await post(`http://localhost:${new URL(url).port}`, { allowHosts: [] });
  expect(outcome).toMatchObject({
    why: 'leads to localhost, which is not on the public internet; list localhost in allowHosts of the hook if it is correct',
  });
});

test('an address that is not public has to be listed, whatever its name', async () => {
  const { url, received } = await receiveHooks();
  const { port } = new URL(url);
  for (const address of [url, `http://localhost:${port}`, `http://[::1]:${port}`, 'http://169.254.169.254/latest']) {
    expect(await post(address, { allowHosts: [] })).toMatchObject({
      taken: false,
      why: expect.stringContaining('is not on the public internet; list'),
    });
  }
  expect(received).toEqual([]);
});
