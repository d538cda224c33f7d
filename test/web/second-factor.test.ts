import { TOTP } from 'otpauth';
import { beforeAll, expect, test } from 'vitest';
import { PASSWORD, openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';

let served: ConsoleUnderTest;

beforeAll(async () => {
  served = await openConsole({ feeds: { north: {} }, web: { secondFactor: ['admin'] } });
});

/** What a page says of the secret that an app is set up with. */
function secretIn(page: string): string {
  return /name="secret" value="([A-Z2-7]{32})"/u.exec(page)?.[1] ?? '';
}

function codesIn(page: string): string[] {
  return [...page.matchAll(/<code>((?:[a-z2-7]{4}-){3}[a-z2-7]{4})<\/code>/gu)].map(([, code]) => code!);
}

/** A code of the app, so many half minutes from now. */
function codeOf(secret: string, later = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + later * 30_000 });
}

async function signIn(name: string, to = '/'): Promise<{ client: Client; led: string }> {
  const client = served.visitor();
  const reply = await client.post('/sign-in', { name, password: PASSWORD, to });
  return { client, led: reply.headers.get('location') ?? '' };
}

test('an administrator who needs a second factor sets it up, and signs in with a code or a recovery code from then on', async () => {
  const name = await served.addUser('admin');
  const { client, led } = await signIn(name, '/runs');
  expect(led).toBe('/sign-in/enrol?to=%2Fruns');
  // Nothing is shown before.
  expect((await client.get('/runs')).headers.get('location')).toBe('/sign-in?to=%2Fruns');
  const page = await client.page(led);
  const secret = secretIn(page);
  expect(page).toContain('<svg viewBox');
  const wrong = await client.post('/sign-in/enrol', { secret, code: '000000', to: '/runs' });
  expect(wrong.status).toBe(400);
  const codes = codesIn(
    await (await client.post('/sign-in/enrol', { secret, code: codeOf(secret), to: '/runs' })).text(),
  );
  expect(codes).toHaveLength(10);
  expect((await client.get('/runs')).status).toBe(200);

  const other = await signIn(name, '/users');
  expect(other.led).toBe('/sign-in/code?to=%2Fusers');
  expect((await other.client.get('/users')).headers.get('location')).toBe('/sign-in?to=%2Fusers');
  expect((await other.client.post('/sign-in/code', { code: 'abcdef', to: '/users' })).status).toBe(401);
  const done = await other.client.post('/sign-in/code', { code: codes[0]!.toUpperCase(), to: '/users' });
  expect(done.headers.get('location')).toBe('/users');
  expect(await other.client.page('/users')).toContain('/reset-factor');
  expect(await other.client.page('/audit')).toContain('used a recovery code, 9 are left');

  const third = await signIn(name);
  expect((await third.client.post('/sign-in/code', { code: codes[0]! })).status).toBe(401);
  expect((await third.client.post('/sign-in/code', { code: codeOf(secret, 1) })).status).toBe(303);
  for (const text of [await third.client.page('/users'), await third.client.page('/audit'), served.up().stderr()])
    expect(text).not.toContain(secret);
});

test('a user whose role needs none may have one, and an administrator takes it away', async () => {
  const name = await served.addUser('ops');
  const { client, led } = await signIn(name);
  expect(led).toBe('/');
  const secret = secretIn(await client.page('/account/factor'));
  const given = { secret, code: codeOf(secret) };
  expect((await client.post('/account/factor', { ...given, password: 'not the password' })).status).toBe(400);
  const codes = codesIn(await (await client.post('/account/factor', { ...given, password: PASSWORD })).text());
  expect(codes).toHaveLength(10);
  expect((await signIn(name)).led).toBe('/sign-in/code?to=%2F');
  const { stdout } = await served.shop.offerline('user', 'list', '--json');
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name, factor: true }));
  const reset = await served.shop.offerline('user', 'reset-factor', name);
  expect(reset).toMatchObject({ status: 0, stdout: `${name} has no second factor; their sessions have ended.\n` });
  expect((await client.get('/')).headers.get('location')).toBe('/sign-in?to=%2F');
  expect((await signIn(name)).led).toBe('/');
});

test('a code without a password before it signs nobody in', async () => {
  const reply = await served.visitor().post('/sign-in/code', { code: '123456' });
  expect(reply.headers.get('location')).toBe('/sign-in');
  expect((await served.visitor().get('/sign-in/enrol')).headers.get('location')).toBe('/sign-in');
});
