import { beforeAll, expect, test } from 'vitest';
import { isFromOwnPage } from '../../../src/web/http/origin.ts';
import { ROUTES } from '../../../src/web/routes.ts';
import { openConsole, PASSWORD, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { openPage, sendFile } from '../../support/supplier-page.ts';

/* Pages of other sites, whatever they send in the name of whoever has signed in here. */

let served: ConsoleUnderTest;
let admin: Client;

beforeAll(async () => {
  const push = { type: 'push', pattern: '*.csv' };
  served = await openConsole({ feeds: { nope: { source: push, supplier: { page: true } } } });
  admin = await served.signIn('admin');
});

/** How requests come that no page of the console made. */
const FOREIGN: Record<string, Record<string, string>> = {
  'of another site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'of another site, by a browser that says no more': { origin: 'https://evil.example' },
  'of a sandboxed frame': { origin: 'null' },
  'of a frame that hides': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'that says nothing of where it comes from': {},
  'of another port of this machine': { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
};
/** What a form of any site may send without being asked first. */
const TYPES = ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'];

test.each(Object.entries(FOREIGN))('no route does what is asked by a form %s', async (_what, headers) => {
  const found: string[] = [];
  const before = await admin.page('/audit');
  for (const { method, path } of ROUTES.filter((route) => route.method !== 'GET')) {
    for (const type of TYPES) {
      const reply = await fetch(`${served.url}${path.replaceAll(/:\w+/gu, 'nope')}`, {
        method,
        headers: { ...headers, cookie: admin.cookie(), 'content-type': type },
        body: 'reason=x&confirm=yes&do=add&name=x&password=x',
        redirect: 'manual',
      });
      await reply.body?.cancel();
      if (reply.status !== 403) found.push(`${method} ${path} as ${type}: ${reply.status}`);
    }
  }
  expect(found).toEqual([]);
  const decided = (page: string) => page.split('was refused')[0]!.match(/add-token|make-link|pause/gu);
  expect(decided(await admin.page('/audit'))).toEqual(decided(before));
});

test('nobody is signed in or out by another site', async () => {
  const foreign = FOREIGN['of another site']!;
  const visitor = served.visitor();
  const name = await served.addUser('ops');
  expect((await visitor.post('/sign-in', { name, password: PASSWORD }, foreign)).status).toBe(403);
  expect(visitor.cookie()).toBe('');
  expect((await admin.post('/sign-out', {}, foreign)).status).toBe(403);
  expect((await admin.get('/users')).status).toBe(200);
});

test('a supplier’s page takes nothing from another page, and no key of another link', async () => {
  const page = await openPage('nope', served);
  const other = await openPage('nope', served);
  const [, key = ''] = /name="key" value="(\w+)"/u.exec(await other.client.page(other.path)) ?? [];
  const file = { name: 'a.csv', content: 'brand;oem\nBOSCH;1\n' };
  for (const headers of [FOREIGN['of another site'], FOREIGN['of a frame that hides']])
    expect((await sendFile(page, served.url, { ...file, headers: headers! })).status).toBe(403);
  expect((await sendFile(page, served.url, { ...file, key })).status).toBe(403);
  expect((await sendFile(page, served.url, { ...file, key: '' })).status).toBe(403);
  expect((await sendFile(page, served.url, file)).status).toBe(303);
});

test('where users come by https, a page of the same host by http is another site', () => {
  const web = { publicUrl: 'https://offers.example.com/' } as Parameters<typeof isFromOwnPage>[1];
  const from = (origin: string, host = 'offers.example.com') => isFromOwnPage(new Headers({ origin, host }), web);
  expect(from('https://offers.example.com')).toBe(true);
  expect(from('http://offers.example.com')).toBe(false);
  expect(from('https://offers.example.com:8443')).toBe(false);
  expect(from('http://127.0.0.1:8480', '127.0.0.1:8480')).toBe(true);
});
