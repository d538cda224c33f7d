import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TOTP } from 'otpauth';
import { beforeAll, expect, test } from 'vitest';
import { openConsole, PASSWORD, type Client, type ConsoleUnderTest } from '../support/console.ts';
import { freePort } from '../support/free-port.ts';
import { startProvider, type ProviderUnderTest } from '../support/oidc/provider.ts';

let provider: ProviderUnderTest;
let served: ConsoleUnderTest;

beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  provider = await startProvider(url);
  const oidc = {
    issuer: provider.issuer,
    clientId: 'offerline',
    clientSecret: 'a secret of the test',
    roles: { ops: ['it'] },
  };
  served = await openConsole({
    feeds: { north: {} },
    web: { listen: `127.0.0.1:${port}`, publicUrl: `${url}/`, oidc },
  });
});

/** Changes the ledger of the console by hand. */
function inLedger(text: string): void {
  const ledger = new DatabaseSync(join(served.shop.home, 'ledger.sqlite'), { timeout: 10_000 });
  ledger.exec(text);
  ledger.close();
}

const isIn = async (client: Client, path = '/') => (await client.get(path)).status === 200;

/** Signs in with the password, and gives the client whatever it waits for. */
async function withPassword(name: string): Promise<{ client: Client; led: string | null }> {
  const client = served.visitor();
  const reply = await client.post('/sign-in', { name, password: PASSWORD });
  return { client, led: reply.headers.get('location') };
}

const codeOf = (secret: string, later = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + later * 30_000 });

/** A user with an app: its secret, and the recovery codes. */
async function withFactor(): Promise<{ name: string; secret: string; codes: string[] }> {
  const name = await served.addUser('ops');
  const { client } = await withPassword(name);
  const [, secret = ''] = /name="secret" value="([A-Z2-7]{32})"/u.exec(await client.page('/account/factor')) ?? [];
  const set = await client.post('/account/factor', { secret, code: codeOf(secret, -1), password: PASSWORD });
  const codes = [...(await set.text()).matchAll(/<code>((?:[a-z2-7]{4}-){3}[a-z2-7]{4})<\/code>/gu)];
  return { name, secret, codes: codes.map(([, code]) => code!) };
}

test('a session of another console does not count here', async () => {
  const other = await openConsole({ feeds: { north: {} } });
  const stranger = await other.signIn('admin');
  const [, token = ''] = /=([\w-]{43})/u.exec(stranger.cookie()) ?? [];
  const { port } = new URL(served.url);
  const reply = await served.visitor().get('/', { cookie: `offerline-${port}=${token}; ${stranger.cookie()}` });
  expect(reply.headers.get('location')).toBe('/sign-in?to=%2F');
});

test('a session has the role that its user has now, and ends when they are disabled or get another password', async () => {
  const name = await served.addUser('admin');
  await served.addUser('admin');
  const { client } = await withPassword(name);
  expect(await isIn(client, '/users')).toBe(true);
  inLedger(`update users set role = 'viewer' where name = '${name}'`);
  expect((await client.get('/users')).status).toBe(403);
  expect((await client.post('/feeds/north/pause', { reason: 'with the role before' })).status).toBe(403);
  await served.shop.offerline('user', 'passwd', name, '--password-file', join(served.shop.folder, 'password.txt'));
  expect(await isIn(client)).toBe(false);
  const { client: again } = await withPassword(name);
  await served.shop.offerline('user', 'disable', name);
  expect(await isIn(again)).toBe(false);
  await served.shop.offerline('user', 'enable', name);
  expect(await isIn(again)).toBe(false);
});

test('who knows the password and puts a sign-in into the browser of its user has none when that enters a code', async () => {
  const { name, secret } = await withFactor();
  const { client: thief, led } = await withPassword(name);
  expect(led).toBe('/sign-in/code?to=%2F');
  const planted = thief.cookie();
  const victim = served.visitor();
  const done = await victim.post('/sign-in/code', { code: codeOf(secret) }, { cookie: planted });
  expect(done.status).toBe(303);
  expect(await isIn(victim)).toBe(true);
  expect(await isIn(thief)).toBe(false);
});

test('a code of an app counts once, in whichever browser', async () => {
  const { name, secret } = await withFactor();
  const code = codeOf(secret);
  const both = [await withPassword(name), await withPassword(name)];
  const replies = await Promise.all(both.map(({ client }) => client.post('/sign-in/code', { code })));
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([303, 401]);
  const { client } = await withPassword(name);
  expect((await client.post('/sign-in/code', { code })).status).toBe(401);
  expect((await client.post('/sign-in/code', { code: codeOf(secret, -1) })).status).toBe(401);
  expect(await isIn(client)).toBe(false);
});

test('a recovery code counts once, also when it is sent twice at once', async () => {
  const { name, codes } = await withFactor();
  const both = [await withPassword(name), await withPassword(name)];
  const replies = await Promise.all(both.map(({ client }) => client.post('/sign-in/code', { code: codes[0]! })));
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([303, 401]);
  const { client } = await withPassword(name);
  const twice = await Promise.all([1, 2].map(() => client.post('/sign-in/code', { code: codes[1]! })));
  expect(twice.filter(({ headers }) => headers.get('location') === '/')).toHaveLength(1);
});

const ANNA = { sub: '7', preferred_username: 'anna', groups: ['it'] };

/** What a provider answered to a sign-in of Anna, as often as it is sent. */
async function answered(): Promise<() => Promise<Response>> {
  const client = served.visitor();
  const begun = await client.get('/sign-in/provider');
  const cookie = client.cookie();
  const back = new URL(await provider.visit(begun.headers.get('location') ?? '', ANNA));
  return () => served.visitor().get(back.pathname + back.search, { cookie });
}

const hasSession = (reply: Response) =>
  reply.headers.getSetCookie().some((one) => /^offerline-\d+=[\w-]{43}/u.test(one));

test('what a provider answered counts once', async () => {
  const send = await answered();
  const replies = [await send(), await send(), await send()];
  expect(replies.map(hasSession)).toEqual([true, false, false]);
  expect(replies[2]!.headers.get('location')).toBe('/sign-in?refused=denied');
});

test('what a provider answered signs in one at most where it is sent twice at once: some end what both would get', async () => {
  const send = await answered();
  const both = await Promise.all([send(), send()]);
  expect(both.filter(hasSession).length).toBeLessThan(2);
  expect(hasSession(await send())).toBe(false);
});

test('what another browser began is not finished here', async () => {
  const [thief, victim] = [served.visitor(), served.visitor()];
  const begun = await thief.get('/sign-in/provider');
  await victim.get('/sign-in/provider');
  const back = new URL(await provider.visit(begun.headers.get('location') ?? '', ANNA));
  const reply = await victim.get(back.pathname + back.search);
  expect(reply.headers.get('location')).toMatch(/^\/sign-in\?refused=(?:stale|untrusted)$/u);
  expect(await isIn(victim)).toBe(false);
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '/\\/evil.example',
  'https:evil.example',
  'https://evil.example',
  '/%09/evil.example/..//evil.example',
  '\\\\evil.example',
])('from the provider %j leads to no other site', async (to) => {
  const client = served.visitor();
  const begun = await client.get(`/sign-in/provider?to=${encodeURIComponent(to)}`);
  const back = new URL(await provider.visit(begun.headers.get('location') ?? '', ANNA));
  const led = (await client.get(back.pathname + back.search)).headers.get('location') ?? '';
  expect(new URL(led, `${served.url}/sign-in/callback`).origin).toBe(served.url);
});

test('a provider is told the public address, whatever host a request names', async () => {
  const reply = await served.visitor().get('/sign-in/provider', { 'x-forwarded-host': 'evil.example' });
  const asked = new URL(reply.headers.get('location') ?? '');
  expect(asked.searchParams.get('redirect_uri')).toBe(`${served.url}/sign-in/callback`);
});

test('nobody is kept out because somebody else is guessed at', async () => {
  const [one, other] = [await served.addUser('ops'), await served.addUser('ops')];
  const guess = () => served.visitor().post('/sign-in', { name: one, password: 'wrong wrong wrong' });
  const statuses = (await Promise.all(Array.from({ length: 8 }, guess))).map(({ status }) => status);
  expect(statuses).toContain(429);
  expect((await withPassword(other)).led).toBe('/');
});
