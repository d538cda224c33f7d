import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { openConsole, PASSWORD, type Client, type ConsoleUnderTest } from '../support/console.ts';

let served: ConsoleUnderTest;
let ops: Client;

beforeAll(async () => {
  served = await openConsole();
  ops = await served.signIn('ops');
});

const PAUSE = '/feeds/north/pause';

test.each([
  ['a form of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a form of a sibling site', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  ['JSON of another site', { origin: 'https://evil.example', 'content-type': 'application/json' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['a lying origin', { 'sec-fetch-site': 'cross-site' }],
])('%s does nothing', async (_what, headers) => {
  const reply = await ops.post(PAUSE, { reason: 'forged' }, headers);
  expect(reply.status).toBe(403);
  expect(await ops.page('/feeds/north')).not.toContain('forged');
});

test('a request that does not say where it comes from does nothing', async () => {
  const reply = await fetch(`${served.url}${PAUSE}`, {
    method: 'POST',
    headers: { cookie: ops.cookie() },
    body: new URLSearchParams({ reason: 'forged' }),
    redirect: 'manual',
  });
  expect(reply.status).toBe(403);
});

test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'user@127.0.0.1', '127.0.0.1/x', ''])(
  'the host %j is not answered',
  async (host) => {
    const reply = await asHost(host, '/');
    // An empty one is no request at all.
    expect([400, 421]).toContain(reply.status);
    expect(reply.body).not.toContain('north');
  },
);

test.each([
  ['//evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['/.//evil.example/', '/'],
  ['/runs/..//evil.example/', '/'],
  ['/%2e/\\evil.example/', '/'],
  ['https://evil.example/', '/'],
  ['/%2f%2fevil.example', '/%2f%2fevil.example'],
  ['/\t/evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/runs?feed=north', '/runs?feed=north'],
])('after signing in, %j leads to %j', async (to, target) => {
  const client = served.visitor();
  const reply = await client.post('/sign-in', { name: 'ops1', password: PASSWORD, to });
  expect(reply.headers.get('location')).toBe(target);
});

test.each([
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'report.html%00',
  '..%5c..%5cledger.sqlite',
  'report.exe',
  'report.constructor',
])('no file is fetched by the name %s', async (name) => {
  const reply = await ops.get(`/runs/nope/${name}`);
  expect(reply.status).toBe(404);
});

test('a session that somebody else knows before is not the one that is signed in with', async () => {
  const client = served.visitor();
  const planted = 'a'.repeat(43);
  const port = new URL(served.url).port;
  const reply = await client.post(
    '/sign-in',
    { name: 'ops1', password: PASSWORD },
    { cookie: `offerline-${port}=${planted}` },
  );
  expect(reply.status).toBe(303);
  expect(client.cookie()).not.toContain(planted);
  const own = /=([^;]+)/u.exec(client.cookie())?.[1];
  expect(own).toMatch(/^[\w-]{43}$/u);
});

test('cookies are for this host and this program only, and no script reads them', async () => {
  const reply = await served.visitor().post('/sign-in', { name: 'ops1', password: PASSWORD });
  const [cookie = ''] = reply.headers.getSetCookie();
  expect(cookie).toMatch(/; Path=\/(;|$)/u);
  expect(cookie).toContain('HttpOnly');
  expect(cookie).toContain('SameSite=Lax');
  expect(cookie).not.toContain('Domain');
});

test('guessing is slowed down, also when many guess at once, and the right password does not help then', async () => {
  const guess = () => served.visitor().post('/sign-in', { name: 'ghost', password: 'wrong wrong wrong' });
  const replies = await Promise.all(Array.from({ length: 12 }, guess));
  const statuses = replies.map(({ status }) => status).sort((a, b) => a - b);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
  expect(statuses.at(-1)).toBe(429);
  expect(await replies.find(({ status }) => status === 429)?.text()).toMatch(/Try again in \d+ seconds/u);
});

test('unknown users and wrong passwords are answered alike', async () => {
  const texts = await Promise.all(
    ['ops1', 'nobody-of-this-name'].map(async (name) => {
      const reply = await served.visitor().post('/sign-in', { name, password: 'wrong wrong wrong' });
      return (await reply.text()).replaceAll(name, 'NAME').replaceAll(/data-mark="[^"]*"|\d\d:\d\d/gu, '');
    }),
  );
  expect(texts[0]).toBe(texts[1]);
});

test('a large form is refused, and the program goes on', async () => {
  // The connection may be closed before all of it is sent.
  const status = await ops.post(PAUSE, { reason: 'x'.repeat(200_000) }).then(
    (reply) => reply.status,
    () => 413,
  );
  expect(status).toBe(413);
  expect((await ops.get('/')).status).toBe(200);
});

test('a head that is too large or never ends is closed', async () => {
  const reply = await ops.get('/', { 'x-long': 'x'.repeat(20_000) });
  expect(reply.status).toBe(431);
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
  socket.resume();
  await once(socket, 'close');
});

test.each(['north%0d%0aSet-Cookie:%20evil=1', 'north\u2028x', '%00', 'x'.repeat(3000)])(
  'no header can be smuggled in by the name %s',
  async (name) => {
    const reply = await ops.get(`/feeds/${name}?done=%0d%0aevil:%201`);
    expect(reply.headers.get('evil')).toBeNull();
    expect(reply.headers.getSetCookie()).toEqual([]);
    expect(reply.status).toBe(404);
  },
);

test('nothing may be put around a page or into it', async () => {
  const reply = await ops.get('/');
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-security-policy': expect.stringContaining(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    ) as string,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  const text = await reply.text();
  expect(text).not.toMatch(/ style="|<style|<script(?! src="\/assets\/)| on\w+="/u);
});

/** A request with a `Host` of one's own, which fetch does not allow. */
async function asHost(host: string, path: string): Promise<{ status: number; body: string }> {
  const asking = rawRequest({
    host: '127.0.0.1',
    port: new URL(served.url).port,
    path,
    setHost: false,
    headers: { host },
  });
  asking.end();
  const [reply] = (await once(asking, 'response')) as [import('node:http').IncomingMessage];
  let body = '';
  for await (const chunk of reply) body += String(chunk);
  return { status: reply.statusCode ?? 0, body };
}
