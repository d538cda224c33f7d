import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { clientOf, openConsole, PASSWORD, type Client, type ConsoleUnderTest } from '../support/console.ts';
import { freePort } from '../support/free-port.ts';
import { readEvents } from '../support/event-stream.ts';
import { until } from '../support/until.ts';
import { startProvider, type Account, type ProviderUnderTest } from '../support/oidc/provider.ts';

/* Users whom a provider signs in, at a console that is served by the real program. */

const ANNA = { sub: '7', preferred_username: 'anna', groups: ['ops'] };
const BERND = { sub: '8', preferred_username: 'bernd', groups: ['buyers'], feeds: ['north'] };

let provider: ProviderUnderTest;
let served: ConsoleUnderTest;
let web: Record<string, unknown>;

beforeAll(async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  provider = await startProvider(url);
  const oidc = {
    issuer: provider.issuer,
    clientId: 'offerline',
    clientSecret: 'a secret of the test',
    roles: { admin: ['admins'], ops: ['ops'], manager: ['buyers'] },
    claims: { feeds: 'feeds' },
  };
  web = { listen: `127.0.0.1:${port}`, publicUrl: `${url}/`, oidc };
  served = await openConsole({ feeds: { north: {}, south: {} }, web });
});

/** Goes from the sign-in page to the provider and back. */
async function signIn(account: Account, to = '/'): Promise<{ client: Client; led: string | null }> {
  const client = served.visitor();
  const begun = await client.get(`/sign-in/provider?to=${encodeURIComponent(to)}`);
  const back = new URL(await provider.visit(begun.headers.get('location') ?? '', account));
  const reply = await client.get(back.pathname + back.search);
  return { client, led: reply.headers.get('location') };
}

test('somebody signs in with the provider, works, and signs out there as well', async () => {
  const { client, led } = await signIn(ANNA, '/runs?feed=north');
  expect(led).toBe('/runs?feed=north');
  const page = await client.page('/account');
  expect(page).toContain('anna');
  expect(page).toContain(`Signs in with ${new URL(provider.issuer).host}`);
  expect(page).not.toContain('name="now"');
  expect((await client.post('/feeds/north/pause', { reason: 'moving' })).status).toBe(303);
  const cookies = client.cookie();
  expect(cookies).not.toContain('flow');
  const out = await client.post('/sign-out');
  expect(out.headers.get('location')).toBe('/sign-in?out=yes');
  expect(await client.page('/sign-in?out=yes')).toContain('href="/sign-out/provider"');
  const end = await client.get('/sign-out/provider');
  expect(end.headers.get('location')).toMatch(`${provider.issuer}/session/end?`);
  const again = await fetch(`${served.url}/`, { headers: { cookie: cookies }, redirect: 'manual' });
  expect(again.headers.get('location')).toBe('/sign-in?to=%2F');
});

test('a manager sees the feeds that the provider names', async () => {
  const { client } = await signIn(BERND);
  expect((await client.get('/feeds/north')).status).toBe(200);
  expect((await client.get('/feeds/south')).status).toBe(404);
  expect((await client.get('/system')).status).toBe(403);
});

test('whoever has no role is told so, and why nobody was signed in stands in the audit', async () => {
  const { client, led } = await signIn({ sub: '9', preferred_username: 'cora', groups: [] });
  expect(led).toBe('/sign-in?refused=noRole');
  expect(await client.page(led!)).toContain('no group of yours has a role here');
  const { client: admin } = await signIn({ sub: '1', preferred_username: 'root1', groups: ['admins'] });
  expect(await admin.page('/audit?action=refuse')).toContain('gives them no role here');
  expect(await admin.page('/users')).toContain('root1');
});

test('a browser that did not begin is not signed in, whatever address it is sent to', async () => {
  const begun = await served.visitor().get('/sign-in/provider');
  const back = new URL(await provider.visit(begun.headers.get('location') ?? '', ANNA));
  const stranger = served.visitor();
  const reply = await stranger.get(back.pathname + back.search);
  expect(reply.headers.get('location')).toBe('/sign-in?refused=stale');
  expect(stranger.cookie()).toBe('');
  expect(await stranger.page('/sign-in?refused=stale')).toContain('took too long, or began in another browser');
  expect(await stranger.page('/sign-in?refused=%3Cscript%3E')).not.toContain('script&gt;');
});

test('a session that the provider does not renew ends', async () => {
  const { client } = await signIn(ANNA);
  await provider.tell();
  const ledger = new DatabaseSync(join(served.shop.home, 'ledger.sqlite'), { timeout: 10_000 });
  ledger.exec('update sessions set check_at = 1');
  ledger.close();
  expect((await client.get('/')).headers.get('location')).toBe('/sign-in?to=%2F');
});

test('a page that is open is closed when its visitor may see less than those who follow it with them', async () => {
  const { client } = await signIn({ sub: '10', preferred_username: 'dora', groups: ['ops'] });
  const stream = readEvents((await client.get('/live?of=%2F&at=')).body!);
  await stream.next();
  const ledger = new DatabaseSync(join(served.shop.home, 'ledger.sqlite'), { timeout: 10_000 });
  ledger.exec("update users set role = 'viewer' where name = 'dora'");
  ledger.close();
  expect(await until(async () => ((await stream.next()) === null ? 'closed' : undefined))).toBe('closed');
});

test('users with a password sign in beside, until it is switched off', async () => {
  const admin = await served.signIn('admin');
  expect((await admin.get('/users')).status).toBe(200);
  const oidc = web['oidc'] as object;
  const port = await freePort();
  const listen = `127.0.0.1:${port}`;
  const strict = await openConsole({
    feeds: { north: {} },
    web: { listen, publicUrl: `http://${listen}/`, oidc: { ...oidc, localUsers: false } },
  });
  const name = await strict.addUser('admin');
  const client = clientOf(strict.url);
  const reply = await client.post('/sign-in', { name, password: PASSWORD });
  expect(reply.status).toBe(403);
  const page = await reply.text();
  expect(page).toContain('Passwords of this console are switched off');
  expect(page).not.toContain('type="password"');
});
