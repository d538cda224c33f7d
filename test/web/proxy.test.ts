import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { lookerOf } from '../../src/web/auth/looker.ts';
import type { WebWorld } from '../../src/web/visit.ts';
import { openConsole, PASSWORD, type ConsoleUnderTest } from '../support/console.ts';
import { readEvents } from '../support/event-stream.ts';

/* Users whom a proxy signs in by a header, at a console that is served by the real program. */

const PROXY = {
  header: 'X-Forwarded-User',
  from: ['127.0.0.1'],
  groups: 'X-Forwarded-Groups',
  email: 'X-Forwarded-Email',
  roles: { admin: ['admins'], ops: ['it'], manager: ['buyers'] },
  signOutUrl: '/oauth2/sign_out',
};

let served: ConsoleUnderTest;

beforeAll(async () => {
  served = await openConsole({
    feeds: { north: {}, south: {} },
    managers: [{ email: 'south@example.com', feeds: ['south'] }],
    web: { proxy: PROXY, trustProxy: true },
  });
});

/** What the proxy adds to a request of somebody. */
function as(name: string, groups = 'it', more: Record<string, string> = {}): Record<string, string> {
  return { 'X-Forwarded-User': name, 'X-Forwarded-Groups': groups, ...more };
}

const get = (path: string, headers: Record<string, string> = {}) => served.visitor().get(path, headers);

test('whom the proxy names is signed in, request by request, without a cookie', async () => {
  const client = served.visitor();
  const reply = await client.get('/account', as('anna'));
  expect(reply.status).toBe(200);
  const page = await reply.text();
  expect(page).toContain('<h1>anna</h1>');
  expect(page).toContain('Signs in with the proxy before this console');
  expect(page).not.toContain('name="now"');
  expect(client.cookie()).toBe('');
  expect((await client.get('/account')).headers.get('location')).toBe('/sign-in?to=%2Faccount');
  expect(await (await client.get('/account', as('bernd'))).text()).toContain('<h1>bernd</h1>');
});

test('the role is that of the groups now; without one nobody is let in', async () => {
  expect((await get('/users', as('cora', 'admins, it'))).status).toBe(200);
  expect((await get('/users', as('cora', 'it'))).status).toBe(403);
  const none = await get('/', as('cora', 'sales'));
  expect(none.status).toBe(403);
  expect(await none.text()).toContain('no group of yours has a role here');
  expect((await get('/', { 'X-Forwarded-User': 'cora' })).status).toBe(403);
  const audit = await (await get('/audit?action=change-user', as('root1', 'admins'))).text();
  expect(audit).toContain('role ops, says proxy');
  expect(await (await get('/audit?action=refuse', as('root1', 'admins'))).text()).toContain('gives them no role here');
  expect(await (await get('/users', as('root1', 'admins'))).text()).toContain('with the proxy before this console');
  const { stdout } = await served.shop.offerline('user', 'list', '--json');
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: 'cora', provider: 'web.proxy' }));
});

/** Rows of the ledger of the console. */
function inLedger(query: string): unknown[] {
  const ledger = new DatabaseSync(join(served.shop.home, 'ledger.sqlite'), { timeout: 10_000 });
  const rows = ledger.prepare(query).all();
  ledger.close();
  return rows;
}

test('who has no group with a role any more has none here, which is said once, until they have one again', async () => {
  const changed = () =>
    inLedger("select reason from audit where subject = 'user lena' and action = 'change-user' order by at");
  await get('/', as('lena', 'it'));
  for (const _ of [1, 2]) expect((await get('/', as('lena', 'sales'))).status).toBe(403);
  expect(changed()).toEqual([{ reason: 'no role any more, says proxy' }]);
  expect((await get('/', as('lena', 'it'))).status).toBe(200);
  expect(changed()).toHaveLength(2);
  expect(inLedger("select role_lost_at from users where name = 'lena'")).toEqual([{ role_lost_at: null }]);
});

test('a page that stays open writes nothing that the proxy said before', async () => {
  const follow = async (groups: string) =>
    readEvents((await get('/live?of=%2Ffeeds%2Fnorth&at=', as('hugo', groups))).body!);
  await get('/', as('hugo', 'admins'));
  const old = await follow('admins');
  expect((await old.next())?.event).toBe('cells');
  await get('/', as('hugo', 'it'));
  const fresh = await follow('it');
  expect((await fresh.next())?.event).toBe('cells');
  await served.visitor().post('/feeds/north/pause', { reason: 'for both' }, as('anna'));
  expect(await old.next()).toBeNull();
  expect((await fresh.next())?.cells['standing']).toContain('for both');
  await fresh.close();
  await served.visitor().post('/feeds/north/resume', { reason: 'again' }, as('anna'));
  expect(inLedger("select role from users where name = 'hugo'")).toEqual([{ role: 'ops' }]);
  expect(inLedger("select reason from audit where subject = 'user hugo' and action = 'change-user'")).toHaveLength(1);
});

test('requests that say different things are answered by what each says, and not written for ever', async () => {
  for (let at = 0; at < 12; at += 1)
    expect((await get('/users', as('ines', at % 2 === 0 ? 'admins' : 'it'))).status).toBe(at % 2 === 0 ? 200 : 403);
  expect(inLedger("select reason from audit where subject = 'user ines' and action = 'change-user'")).toHaveLength(6);
});

test('health checks do not ask who the header names', async () => {
  for (const path of ['/livez', '/readyz']) await get(path, as('probe', 'it'));
  expect(inLedger("select name from users where name = 'probe'")).toEqual([]);
});

test('the session beside a header does not count where it cannot be told whose header it is', async () => {
  const shown = {
    session: 'any',
    authorization: null,
    address: null,
    header: { kind: 'gone' },
    mayKeep: true,
  } as const;
  expect(await lookerOf(shown, {} as WebWorld)).toBeNull();
});

test('whoever is refused can leave for the proxy', async () => {
  const reply = await get('/', as('mona', 'sales'));
  expect(reply.status).toBe(403);
  expect(await reply.text()).toContain('<a href="/oauth2/sign_out">Sign out there</a>');
});

test('a manager sees the feeds of the entry with the address that the proxy says', async () => {
  const south = as('dora', 'buyers', { 'X-Forwarded-Email': 'south@example.com' });
  expect((await get('/feeds/south', south)).status).toBe(200);
  expect((await get('/feeds/north', south)).status).toBe(404);
  expect((await get('/feeds/south', as('dora', 'buyers'))).status).toBe(404);
});

test('a local user of the same name stays another one, and has no password from the proxy', async () => {
  const name = await served.addUser('admin');
  const page = await (await get('/account', as(name))).text();
  expect(page).toContain(`<h1>${name}@proxy</h1>`);
  expect((await get('/users', as(name))).status).toBe(403);
  const client = served.visitor();
  await client.post('/sign-in', { name, password: PASSWORD });
  expect((await client.get('/users')).status).toBe(200);
  // The header is who they are, whatever session the browser has.
  expect((await client.get('/users', as('emil'))).status).toBe(403);
  const changed = await client.post(
    '/account/password',
    { now: PASSWORD, next: 'a new one of five words' },
    as('emil'),
  );
  expect(changed.status).toBe(400);
  expect((await client.get('/account/factor', as('emil'))).headers.get('location')).toBe('/account');
  const passwd = await served.shop.offerline(
    'user',
    'passwd',
    'emil',
    '--password-file',
    join(served.shop.folder, 'password.txt'),
  );
  expect(passwd.stderr).toContain('emil signs in with web.proxy, and has no password here.');
  const guess = await served.visitor().post('/sign-in', { name: 'emil', password: '' });
  expect(guess.status).toBe(401);
});

test('who is disabled here stays so', async () => {
  await get('/', as('frida'));
  await served.shop.offerline('user', 'disable', 'frida');
  const reply = await get('/', as('frida', 'admins'));
  expect(reply.status).toBe(403);
  expect(await reply.text()).toContain('This user is disabled here');
});

test('one person does not become two by other capitals', async () => {
  await get('/', as('Gerd'));
  const reply = await get('/', as('gerd'));
  expect(reply.status).toBe(403);
  expect(await reply.text()).toContain('with other capitals before');
  expect((await get('/', as('Gerd'))).status).toBe(200);
});

test('forms need a page of the console, as with a session', async () => {
  const client = served.visitor();
  const pause = (headers: Record<string, string>) =>
    client.post('/feeds/north/pause', { reason: 'forged' }, { ...as('anna'), ...headers });
  expect((await pause({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await pause({ origin: 'null' })).status).toBe(403);
  const api = await fetch(`${served.url}/api/v1/feeds/north/pause`, {
    method: 'POST',
    headers: as('anna'),
    body: JSON.stringify({ reason: 'forged' }),
  });
  expect(api.status).toBe(403);
  expect(await (await client.get('/feeds/north', as('anna'))).text()).not.toContain('forged');
  expect((await pause({})).status).toBe(303);
  await client.post('/feeds/north/resume', { reason: 'again' }, as('anna'));
});

test('a token counts beside the header, and only for programs', async () => {
  const { stdout } = await served.shop.offerline('token', 'add', 'erp', '--role', 'viewer');
  const token = { authorization: `Bearer ${stdout.trim()}` };
  expect((await get('/api/v1/status', token)).status).toBe(200);
  expect((await get('/api/v1/status', { ...token, ...as('anna') })).status).toBe(200);
  const paused = await fetch(`${served.url}/api/v1/feeds/north/pause`, {
    method: 'POST',
    headers: { ...token, ...as('anna') },
    body: JSON.stringify({ reason: 'by the weaker of the two' }),
  });
  expect(paused.status).toBe(403);
  expect((await get('/api/v1/status', { authorization: 'Bearer ofl_nothing', ...as('anna') })).status).toBe(401);
  expect((await get('/api/v1/status', as('anna'))).status).toBe(200);
});

test('signing out leads to the proxy, which has to end it', async () => {
  const client = served.visitor();
  const out = await client.post('/sign-out', {}, as('anna'));
  expect(out.headers.get('location')).toBe('/sign-in?out=yes');
  const page = await (await client.get('/sign-in?out=yes', as('anna'))).text();
  expect(page).toContain('href="/oauth2/sign_out"');
  expect((await client.get('/sign-in?to=%2Fruns', as('anna'))).headers.get('location')).toBe('/runs');
  const name = await served.addUser('ops');
  const beside = await client.post('/sign-in', { name, password: PASSWORD }, as('anna'));
  expect(beside.headers.getSetCookie()).toEqual([]);
});

test('health checks are answered whoever the header names', async () => {
  expect((await get('/livez', as('nobody here', 'sales'))).status).toBe(200);
});

/** Sends bytes on one connection, and gives all that comes back. */
async function raw(lines: string[][]): Promise<string> {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  const close = (at: number) => (at === lines.length - 1 ? ['Connection: close'] : []);
  for (const [at, headers] of lines.entries())
    socket.write(
      `GET /account HTTP/1.1\r\nHost: 127.0.0.1\r\n${[...headers, ...close(at)].join('\r\n')}\r\n\r\n`,
      'latin1',
    );
  let text = '';
  socket.on('data', (bytes) => (text += String(bytes)));
  await once(socket, 'close');
  return text;
}

/** The answers in what came back: who is signed in, or the status. */
function answers(text: string): string[] {
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/u)
    .map((one) => /<h1>([^<]+)<\/h1>/u.exec(one)?.[1] ?? /^HTTP\/1\.1 (\d+)/u.exec(one)?.[1] ?? '');
}

const GROUPS = 'X-Forwarded-Groups: it';

test.each([
  ['doubled', ['X-Forwarded-User: anna', 'X-Forwarded-User: root1', GROUPS]],
  ['doubled with other capitals', ['x-forwarded-user: root1', 'X-FORWARDED-USER: anna', GROUPS]],
  ['doubled with the same name', ['X-Forwarded-User: anna', 'X-Forwarded-User: anna', GROUPS]],
  ['with a comma', ['X-Forwarded-User: anna, root1', GROUPS]],
  ['blank', ['X-Forwarded-User:', GROUPS]],
  ['with odd letters', ['X-Forwarded-User: ann\u00E4', GROUPS]],
  ['with doubled groups', ['X-Forwarded-User: anna', GROUPS, 'X-Forwarded-Groups: admins']],
])('a header that is %s signs nobody in', async (_what, headers) => {
  expect(answers(await raw([headers]))).toEqual(['This was not done']);
});

test.each([
  ['X_Forwarded_User: root1'],
  ['X-Forwarded_User: root1'],
  ['X-Forwarded-User : root1'],
  ['X-Forwarded-User\t: root1'],
  ['X-Original: 1\r\n X-Forwarded-User: root1'],
  ['X-Forwarded-User\u0000: root1'],
])('the header %j is none of the proxy', async (header) => {
  const [first = ''] = answers(await raw([[header, GROUPS]]));
  expect(first).toMatch(/^(?:303|400)$/u);
});

test('of requests on one connection each is for itself', async () => {
  const text = await raw([['X-Forwarded-User: anna', GROUPS], [GROUPS], ['X-Forwarded-User: bernd', GROUPS]]);
  expect(answers(text)).toEqual(['anna', '303', 'bernd']);
});

test('the header of anybody else is ignored, and the log says so once', async () => {
  const other = await openConsole({
    feeds: { north: {} },
    web: { proxy: { ...PROXY, from: ['192.0.2.7'] }, trustProxy: true },
  });
  const client = other.visitor();
  for (const more of [
    {},
    { 'X-Forwarded-For': '192.0.2.7' },
    { 'X-Real-Ip': '192.0.2.7', Forwarded: 'for=192.0.2.7' },
  ]) {
    const reply = await client.get('/', as('anna', 'admins', more));
    expect(reply.headers.get('location')).toBe('/sign-in?to=%2F');
  }
  expect(
    other
      .up()
      .stderr()
      .match(/header ignored, not of an address in web\.proxy\.from/gu),
  ).toHaveLength(1);
  const ledger = new DatabaseSync(join(other.shop.home, 'ledger.sqlite'), { timeout: 10_000 });
  expect(ledger.prepare('select count(*) as users from users').get()).toEqual({ users: 0 });
  ledger.close();
});

test('passwords can be switched off', async () => {
  const strict = await openConsole({ feeds: { north: {} }, web: { proxy: { ...PROXY, localUsers: false } } });
  const name = await strict.addUser('admin');
  const client = strict.visitor();
  expect(await client.page('/sign-in')).not.toContain('type="password"');
  const reply = await client.post('/sign-in', { name, password: PASSWORD });
  expect(reply.status).toBe(403);
  expect(await reply.text()).toContain('Open it by the address of the proxy');
  expect((await client.get('/', as('anna'))).status).toBe(200);
});
