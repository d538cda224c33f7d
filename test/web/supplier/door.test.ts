import { DatabaseSync } from 'node:sqlite';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { secretHash } from '../../../src/access/secret.ts';
import { ROUTES } from '../../../src/web/routes.ts';
import { SUPPLIER_ROUTES } from '../../../src/web/supplier/serve.ts';
import { openConsole, type ConsoleUnderTest } from '../../support/console.ts';
import { linkTo, openPage, type OpenedPage } from '../../support/supplier-page.ts';

const push = { type: 'push', pattern: '*.csv' };
const page = { source: push, supplier: { page: true } };

let served: ConsoleUnderTest;
let north: OpenedPage;

beforeAll(async () => {
  served = await openConsole({ feeds: { north: page, off: page, gone: page } });
  // With a user nobody else may look.
  await served.addUser('admin');
  north = await openPage('north', served);
});

const secretIn = (link: string) => link.split('/').at(-1)!;

/** The secret in every way in which the console is told who asks. */
function asCredential(link: string): Record<string, string> {
  const { port } = new URL(served.url);
  const secret = secretIn(link);
  const names = [`offerline-${port}`, `offerline-${port}-supplier`, `offerline-${port}-device`, '__Host-offerline'];
  return {
    cookie: names.map((name) => `${name}=${secret}`).join('; '),
    authorization: `Bearer ${secret}`,
    origin: served.url,
  };
}

describe.each(ROUTES.filter(({ may }) => may !== 'everybody'))('$method $path', ({ method, path }) => {
  test('is not reached with a link', async () => {
    const address = path.replaceAll(/:\w+/gu, 'north');
    const reply = await fetch(`${served.url}${address}`, {
      method,
      headers: asCredential(north.link),
      redirect: 'manual',
      ...(method === 'GET' ? {} : { body: 'x' }),
    });
    const isLed = reply.headers.get('location')?.startsWith('/sign-in?to=') === true;
    expect(isLed ? 401 : reply.status).toBe(401);
    await reply.body?.cancel();
  });
});

test('no live page of the console follows a link', async () => {
  const headers = asCredential(north.link);
  const feed = await fetch(`${served.url}/live?of=/feeds/north`, { headers });
  expect(await feed.text()).not.toContain('north');
  expect((await fetch(`${served.url}/live?of=${north.path}`, { headers })).status).toBe(404);
});

describe.each(SUPPLIER_ROUTES)('$method $path', ({ method, path }) => {
  const address = (link: string) => path.replace('/supplier/:link', link).replaceAll(/:\w+/gu, '20261121-060000-k3f9x');

  test('without the cookie there is nothing, whoever is signed in', async () => {
    const admin = await served.signIn('admin');
    for (const client of [served.visitor(), admin]) {
      const reply = await (method === 'GET' ? client.get(address(north.path)) : client.post(address(north.path)));
      expect(reply.status).toBe(404);
    }
  });

  test('with the cookie of another link there is nothing', async () => {
    const other = await openPage('gone', served);
    const reply = await (method === 'GET'
      ? other.client.get(address(north.path))
      : other.client.post(address(north.path)));
    expect(reply.status).toBe(404);
  });
});

test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s does nothing', async (method) => {
  const reply = await fetch(`${served.url}${north.path}`, {
    method,
    headers: { cookie: north.client.cookie(), origin: served.url },
  });
  expect(reply.status).toBe(404);
});

test('the secret leaves the address at once, and the pages say so to browsers and searches', async () => {
  const client = served.visitor();
  const opened = await client.get(new URL(north.link).pathname);
  const [cookie = ''] = opened.headers.getSetCookie();
  expect(cookie).toMatch(new RegExp(`; Max-Age=77\\d{5}; Path=${north.path}; HttpOnly; SameSite=Strict$`, 'u'));
  expect(await opened.text()).not.toContain(secretIn(north.link));
  const shown = await client.get(north.path);
  for (const { headers } of [opened, shown, await client.get('/supplier/nope')]) {
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self';(?!.*script)/u);
  }
  const text = await shown.text();
  expect(text).not.toContain(secretIn(north.link));
  expect(text).not.toMatch(/<script|href="\/(?!supplier\/|assets\/)/u);
});

test('no secret is in the ledger, in the log or in what is listed', async () => {
  const link = await linkTo('north', served);
  await served.visitor().get(new URL(link).pathname);
  const { stdout } = await served.shop.offerline('supplier-page', 'north', '--list', '--json');
  const texts = [
    stdout,
    served.up().stderr(),
    ...readdirSync(served.shop.home)
      .filter((name) => name.startsWith('ledger.sqlite'))
      .map((name) => readFileSync(join(served.shop.home, name), 'latin1')),
  ];
  for (const text of texts) expect(text).not.toContain(secretIn(link).slice(4));
});

test.each([
  ['pl-PL,pl;q=0.9,en;q=0.5', 'pl'],
  ['xx, RU', 'ru'],
  ['', 'en'],
])('a stranger who reads %j is answered in %s', async (wish, language) => {
  const reply = await served.visitor().get('/supplier/open/nope', { 'accept-language': wish });
  expect(await reply.text()).toContain(`<html lang="${language}"`);
});

/** What an answer is, without the moment at which it was given. */
async function shapeOf(reply: Response) {
  const headers = Object.fromEntries([...reply.headers].filter(([name]) => name !== 'date'));
  return { status: reply.status, headers, body: await reply.text() };
}

test('what is not there is answered alike: never made, ended, expired, its page off, its feed gone', async () => {
  const links = {
    ended: await linkTo('north', served),
    expired: await linkTo('north', served),
    off: await linkTo('off', served),
    gone: await linkTo('gone', served),
  };
  const removed = await openPage('gone', served);
  const ledger = new DatabaseSync(join(served.shop.home, 'ledger.sqlite'), { timeout: 10_000 });
  ledger
    .prepare('update supplier_links set expires_at = 1 where secret_hash = ?')
    .run(secretHash(secretIn(links.expired)));
  ledger.close();
  await served.shop.offerline('supplier-page', 'north', '--end');
  served.shop.configure({
    service: { baseUrl: served.service.url },
    web: { listen: new URL(served.url).host },
    feeds: { north: page, off: { source: push, supplier: { page: false } } },
  });
  await served.restart();
  const never = await shapeOf(await served.visitor().get(`/supplier/open/ofs_${'a'.repeat(43)}`));
  expect(never).toMatchObject({ status: 404, body: expect.stringContaining('There is no page here') as string });
  for (const [what, link] of Object.entries(links)) {
    const shape = await shapeOf(await served.visitor().get(new URL(link).pathname));
    expect({ what, ...shape }).toEqual({ what, ...never });
  }
  const after = [
    north.path,
    `${north.path}/deliveries/nope`,
    '/supplier',
    '/supplier/',
    '/supplier/open',
    '/supplier/a/b/c/d',
  ];
  for (const path of after)
    expect({ path, ...(await shapeOf(await north.client.get(path))) }).toEqual({ path, ...never });
  for (const { method, path } of SUPPLIER_ROUTES) {
    const address = path.replace('/supplier/:link', removed.path).replaceAll(/:\w+/gu, '20261121-060000-k3f9x');
    const { client } = removed;
    const reply = await (method === 'GET' ? client.get(address) : client.post(address));
    expect({ address, ...(await shapeOf(reply)) }).toEqual({ address, ...never });
  }
});

test('wrong links are slowed down by network, and suppliers whose page was opened there before go on', async () => {
  const proxied = await openConsole({ web: { trustProxy: true }, feeds: { north: page, south: page } });
  const from = (place: string) => ({ 'x-forwarded-for': place });
  const link = new URL(await linkTo('north', proxied)).pathname;
  const supplier = proxied.visitor();
  const [, path = ''] = /url=(\/supplier\/[\w-]+)"/u.exec(await (await supplier.get(link, from('10.0.0.7'))).text())!;
  // Made before the guesses: the first wait is short, and a busy machine takes as long to make a link.
  const next = new URL(await linkTo('north', proxied)).pathname;
  const other = new URL(await linkTo('south', proxied)).pathname;
  const wrong = (at: number) =>
    proxied.visitor().get(`/supplier/open/ofs_${String(at).padStart(43, 'x')}`, from('10.0.0.7'));
  const replies = await Promise.all(Array.from({ length: 40 }, (_, at) => wrong(at)));
  expect(replies.filter(({ status }) => status === 404).length).toBeLessThanOrEqual(21);
  const late = await wrong(99);
  expect(late.status).toBe(429);
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await proxied.visitor().get(next, from('10.0.0.7'))).status).toBe(200);
  expect((await proxied.visitor().get(other, from('10.0.0.7'))).status).toBe(429);
  expect((await supplier.get(path, from('10.0.0.7'))).status).toBe(200);
  expect((await proxied.visitor().get(other, from('10.0.0.8'))).status).toBe(200);
  const forged = {
    cookie: `offerline-${new URL(proxied.url).port}-supplier=ofs_${'y'.repeat(43)}`,
    ...from('10.0.0.7'),
  };
  expect((await proxied.visitor().get(path, forged)).status).toBe(429);
});

test('links in old mails, and addresses that no link has, keep nobody out', async () => {
  const proxied = await openConsole({ web: { trustProxy: true }, feeds: { north: page } });
  const from = { 'x-forwarded-for': '10.0.0.9' };
  const old = new URL(await linkTo('north', proxied)).pathname;
  await proxied.shop.offerline('supplier-page', 'north', '--end');
  for (let at = 0; at < 25; at += 1) {
    for (const path of [old, '/supplier/open/index.php'])
      expect((await proxied.visitor().get(path, from)).status).toBe(404);
  }
  const link = new URL(await linkTo('north', proxied)).pathname;
  expect((await proxied.visitor().get(link, from)).status).toBe(200);
});
