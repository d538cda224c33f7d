import { createServer } from 'node:https';
import { expect, test } from 'vitest';
import { secret } from '../../../src/config/secrets/secret.ts';
import { postMessage } from '../../../src/notify/hooks/post.ts';
import { HOOK_SECRET, receiveHooks } from '../../support/hook-receiver.ts';
import { serve } from '../../support/http-server.ts';
import { onLoopback } from '../../support/servers/on-loopback.ts';
import { TEST_TLS } from '../../support/tls.ts';
import { load, problemsOf } from '../../config/config-file.ts';

const MESSAGE = { id: 'evt_1', body: '{"type":"hook.test"}' };

function post(url: string, allowHosts: string[] = [], timeout = 5000) {
  const hook = { url: secret(url), secret: [secret(HOOK_SECRET)], timeout, allowHosts };
  const sending = { now: Date.now(), signal: new AbortController().signal, mayStill: () => true };
  return postMessage(hook, MESSAGE, sending);
}

/** Ways to write this machine, and where a cloud tells its secrets. */
const INSIDE = [
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  '127.0.0.1.',
  '0',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  'localhost',
  'LOCALHOST',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '169.254.169.254',
  '2852039166',
  '[fd00:ec2::254]',
];

test.each(INSIDE)('http://%s is not asked', async (host) => {
  const { url, received } = await receiveHooks();
  const outcome = await post(`http://${host}:${new URL(url).port}/`);
  expect(outcome).toMatchObject({ taken: false, why: expect.stringContaining('is not on the public internet') });
  expect(received).toEqual([]);
});

test.each(INSIDE.filter((host) => /^[\d[①]/u.test(host)))(
  'https://%s is refused in the configuration',
  async (host) => {
    const feeds = { north: { login: 'main', source: { type: 'directory', path: '.' } } };
    const hooks = { ops: { url: `https://${host}/in`, secret: HOOK_SECRET } };
    const problems = await problemsOf(JSON.stringify({ logins: { main: {} }, feeds, hooks }));
    expect(problems).toEqual([expect.stringContaining('is not on the public internet')]);
  },
);

test('a redirect to this machine or to the cloud is not followed, with any status', async () => {
  const inside = await receiveHooks();
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [`${inside.url}/`, 'http://169.254.169.254/latest/meta-data/', '//localhost/']) {
      const { url } = await receiveHooks((response) => response.writeHead(status, { location }).end());
      expect(await post(url, ['127.0.0.1'])).toMatchObject({ why: expect.stringContaining('a redirect') as string });
    }
  }
  expect(inside.received).toEqual([]);
});

test('an answer that comes late is none, and one without end takes neither memory nor time', async () => {
  const late = await serve(
    (_request, response) => void setTimeout(() => response.writeHead(200).end(), 60_000).unref(),
  );
  const begun = performance.now();
  expect(await post(late.url, ['127.0.0.1'], 1000)).toMatchObject({ why: 'did not answer within 1 s' });
  const piece = Buffer.alloc(1024 * 1024, 'x');
  let written = 0;
  const endless = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': String(10 * 1024 ** 3) });
    const write = () => {
      while (!response.destroyed && response.write(piece)) written += piece.length;
      response.once('drain', write);
    };
    write();
  });
  expect(await post(endless.url, ['127.0.0.1'])).toEqual({ taken: true, status: 200 });
  expect(written).toBeLessThan(64 * piece.length);
  expect(performance.now() - begun).toBeLessThan(5000);
});

test('an answer that was packed over and over is not unpacked', async () => {
  const { url } = await receiveHooks((response) =>
    response.writeHead(500, { 'content-encoding': 'gzip' }).end(Buffer.alloc(1000, 'x')),
  );
  expect(await post(url, ['127.0.0.1'])).toMatchObject({ taken: false, why: 'answered 500' });
});

test('nothing is said to a server that cannot prove its name', async () => {
  let asked = 0;
  const server = createServer(TEST_TLS, (_request, response) => {
    asked += 1;
    response.end();
  });
  const { port } = await onLoopback(server);
  const outcome = await post(`https://127.0.0.1:${port}`, ['127.0.0.1']);
  expect(outcome).toMatchObject({
    taken: false,
    why: expect.stringMatching(/^could not be asked: [A-Z_]+$/u) as string,
  });
  expect(asked).toBe(0);
});

test('no part of an address or secret is in what is said of a failure', async () => {
  const address = 'https://hooks.example.invalid/services/T0AB/zkqvnwpxyuhtb?code=rose4-xy';
  const feeds = { north: { login: 'main', source: { type: 'directory', path: '.' } } };
  const hooks = { ops: { url: address, secret: HOOK_SECRET } };
  await load(JSON.stringify({ logins: { main: {} }, feeds, hooks }));
  const outcome = JSON.stringify(await post(address));
  expect(outcome).not.toMatch(/zkqvn|rose4|whsec|T0AB/u);
});
