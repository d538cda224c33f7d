import { beforeAll, expect, test } from 'vitest';
import { checkSession, forgetAtProvider } from '../../../src/access/oidc/check.ts';
import { beginSignIn, endAtProvider, finishSignIn } from '../../../src/access/oidc/flow.ts';
import { endSession, sessionOf } from '../../../src/access/sessions.ts';
import { addUser, disableUser, setPassword } from '../../../src/access/users.ts';
import { signIn as signInByPassword } from '../../../src/access/sign-in.ts';
import { freePort } from '../../support/free-port.ts';
import { BACK, goThrough, openAccess } from '../../support/oidc/access.ts';
import { startProvider, type Account, type ProviderUnderTest } from '../../support/oidc/provider.ts';

const BY = { who: 'root', via: 'cli', origin: null } as const;
const ANNA = { sub: '7', preferred_username: 'anna', groups: ['ops'], email: 'anna@example.com' };

let provider: ProviderUnderTest;

beforeAll(async () => {
  provider = await startProvider(BACK);
});

type Access = Awaited<ReturnType<typeof openAccess>>;

async function signIn(ctx: Access, account: Account = ANNA) {
  const done = await goThrough(ctx, (address) => provider.visit(address, account));
  if (!('session' in done)) throw new Error(`refused: ${done.refused}`);
  return done;
}

/** Lets the time come at which the provider is asked about all sessions. */
async function makeDue({ ledger }: Access): Promise<void> {
  await ledger.db.updateTable('sessions').set({ check_at: 1 }).execute();
}

test('somebody signs in, goes where they wanted, and stands among the users', async () => {
  const ctx = await openAccess({ issuer: provider.issuer });
  const { session, to } = await signIn(ctx);
  expect(to).toBe('/runs');
  const subject = `${provider.issuer} 7`;
  expect(await sessionOf(session, ctx)).toMatchObject({
    name: 'anna',
    role: 'ops',
    email: 'anna@example.com',
    provider: { subject, feeds: null, isDue: false },
  });
  await signIn(ctx, { ...ANNA, groups: ['admins'], preferred_username: 'anna.miller' });
  const users = await ctx.ledger.db.selectFrom('users').select(['name', 'role', 'subject', 'password']).execute();
  // The audit goes on to call them as before.
  expect(users).toEqual([{ name: 'anna', role: 'admin', subject, password: '' }]);
  const audit = await ctx.ledger.db
    .selectFrom('audit')
    .select(['action', 'who', 'via', 'reason'])
    .orderBy('at')
    .execute();
  const host = new URL(provider.issuer).host;
  expect(audit).toEqual([
    { action: 'add-user', who: 'anna', via: 'console', reason: `role ops, signed in by ${host}` },
    { action: 'change-user', who: 'anna', via: 'console', reason: `role admin, says ${host}` },
  ]);
});

test('the provider is asked with PKCE, state and nonce, and sends browsers to web.publicUrl alone', async () => {
  const ctx = await openAccess({ issuer: provider.issuer });
  const begun = await beginSignIn({ to: '/' }, ctx);
  if ('refused' in begun) throw new Error(begun.refused);
  const asked = Object.fromEntries(new URL(begun.url).searchParams);
  expect(asked).toEqual({
    response_type: 'code',
    client_id: 'offerline',
    redirect_uri: `${BACK}/sign-in/callback`,
    scope: 'openid profile email',
    state: expect.stringMatching(/^[\w-]{43}$/u) as string,
    nonce: expect.stringMatching(/^[\w-]{43}$/u) as string,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/u) as string,
    code_challenge_method: 'S256',
  });
  expect(begun.url).not.toContain('secret');
});

test('a code is of use once, and only in the browser that began', async () => {
  const ctx = await openAccess({ issuer: provider.issuer });
  const { search, kept } = await signIn(ctx);
  const again = { search, address: null };
  expect(await finishSignIn({ ...again, kept }, ctx)).toEqual({ refused: 'denied' });
  expect(await finishSignIn({ ...again, kept: null }, ctx)).toEqual({ refused: 'stale' });
  expect(await finishSignIn({ ...again, kept: 'e30' }, ctx)).toEqual({ refused: 'stale' });
  const other = await beginSignIn({ to: '/' }, ctx);
  if ('refused' in other) throw new Error(other.refused);
  expect(await finishSignIn({ ...again, kept: other.flow }, ctx)).toEqual({ refused: 'untrusted' });
});

test('nobody gets the name of another user, and nobody signs in with a password in their place', async () => {
  const ctx = await openAccess({ issuer: provider.issuer });
  const local = {
    name: 'anna',
    role: 'admin',
    email: null,
    language: null,
    password: 'correct horse battery',
  } as const;
  await addUser(local, BY, ctx);
  const { session } = await signIn(ctx);
  const name = `anna@${new URL(provider.issuer).host.replace(':', '-')}`;
  expect(await sessionOf(session, ctx)).toMatchObject({ name, role: 'ops' });
  const attempt = { name, password: '', address: null, device: null };
  expect(await signInByPassword(attempt, ctx)).toHaveProperty('refused');
  await expect(setPassword({ name, password: 'correct horse battery' }, BY, ctx)).rejects.toMatchObject({
    code: 'usage',
  });
  const odd = await signIn(ctx, { sub: '8', preferred_username: '../<b>аnna', groups: ['staff'] });
  expect(await sessionOf(odd.session, ctx)).toMatchObject({
    name: expect.stringMatching(/^user-[\da-f]{12}$/u) as string,
  });
});

test('whoever is disabled here stays so', async () => {
  const ctx = await openAccess({ issuer: provider.issuer });
  await signIn(ctx);
  await disableUser('anna', BY, ctx);
  const done = await goThrough(ctx, (address) => provider.visit(address, ANNA));
  expect(done).toMatchObject({ refused: 'disabled' });
});

test('a session is renewed, with the role that its user has by now', async () => {
  const ctx = await openAccess({ issuer: provider.issuer, claims: { feeds: 'feeds' } });
  const { session } = await signIn(ctx);
  const before = await ctx.ledger.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
  await provider.tell({ ...ANNA, groups: ['buyers'], feeds: ['north'] });
  await makeDue(ctx);
  await checkSession({ session }, ctx);
  expect(await sessionOf(session, ctx)).toMatchObject({ role: 'manager', provider: { feeds: 'north', isDue: false } });
  const after = await ctx.ledger.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
  expect(after.refresh).not.toBe(before.refresh);
  // Nobody is asked again before it is time to.
  await provider.tell();
  await checkSession({ session }, ctx);
  expect(await sessionOf(session, ctx)).not.toBeNull();
});

test('two pages that ask at the same moment renew a session once', async () => {
  const ctx = await openAccess({ issuer: provider.issuer });
  const { session } = await signIn(ctx);
  await makeDue(ctx);
  await Promise.all([1, 2, 3, 4].map(() => checkSession({ session }, ctx)));
  expect(await sessionOf(session, ctx)).toMatchObject({ provider: { isDue: false } });
  expect(ctx.entries).toEqual([]);
});

test.each<[string, Account[]]>([
  ['the provider does not know its user any more', []],
  ['its user is in no group with a role any more', [{ ...ANNA, groups: [] }]],
])('a session ends when %s', async (_, accounts) => {
  const ctx = await openAccess({ issuer: provider.issuer });
  const { session } = await signIn(ctx);
  await provider.tell(...accounts);
  await makeDue(ctx);
  await checkSession({ session }, ctx);
  expect(await sessionOf(session, ctx)).toBeNull();
  const audit = await ctx.ledger.db.selectFrom('audit').select(['action', 'who', 'subject']).execute();
  expect(audit).toContainEqual({ action: 'refuse', who: 'anna', subject: 'session' });
});

test('what a session is renewed with is of no use to whoever reads the ledger, nor in another session', async () => {
  const ctx = await openAccess({ issuer: provider.issuer });
  const [one, other] = [await signIn(ctx), await signIn(ctx)];
  const rows = await ctx.ledger.db.selectFrom('sessions').selectAll().execute();
  expect(rows[0]?.refresh).not.toBe(rows[1]?.refresh);
  await ctx.ledger.db.updateTable('sessions').set({ refresh: rows[0]!.refresh, check_at: 1 }).execute();
  await checkSession({ session: one.session }, ctx);
  await checkSession({ session: other.session }, ctx);
  const left = await ctx.ledger.db.selectFrom('sessions').select('token_hash').execute();
  expect(left).toEqual([{ token_hash: rows[0]!.token_hash }]);
});

test('a session that was ended cannot be renewed at the provider either', async () => {
  const ctx = await openAccess({ issuer: provider.issuer });
  const { session } = await signIn(ctx);
  const row = await ctx.ledger.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
  const refresh = await endSession(session, ctx);
  await forgetAtProvider({ session, refresh: refresh! }, ctx);
  expect(ctx.entries).toEqual([]);
  await ctx.ledger.db
    .insertInto('sessions')
    .values({ ...row, check_at: 1 })
    .execute();
  await checkSession({ session }, ctx);
  expect(await sessionOf(session, ctx)).toBeNull();
});

test('whoever signs out is led to the end of the session at the provider', async () => {
  const ctx = await openAccess({ issuer: provider.issuer });
  const end = await endAtProvider(ctx);
  if ('refused' in end) throw new Error(end.refused);
  const url = new URL(end.url ?? '');
  expect(url.origin).toBe(provider.issuer);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'offerline',
    post_logout_redirect_uri: `${BACK}/sign-in`,
  });
});

test('a provider with other keys is believed at once', async () => {
  const ctx = await openAccess({ issuer: provider.issuer });
  await signIn(ctx);
  await provider.restart();
  expect(await signIn(ctx)).toHaveProperty('session');
});

test('while the provider is away nobody signs in, and whoever is signed in stays so', async () => {
  const own = await startProvider(BACK);
  const ctx = await openAccess({ issuer: own.issuer });
  const done = await goThrough(ctx, (address) => own.visit(address, ANNA));
  if (!('session' in done)) throw new Error('refused');
  await own.stop();
  await makeDue(ctx);
  await checkSession({ session: done.session }, ctx);
  expect(await sessionOf(done.session, ctx)).toMatchObject({ name: 'anna', provider: { isDue: false } });
  expect(ctx.entries).toMatchObject([{ kind: 'away', msg: 'session could not be renewed by the provider' }]);
  // It is not asked again for each page.
  await makeDue(ctx);
  await checkSession({ session: done.session }, ctx);
  expect(ctx.entries).toHaveLength(1);
  const away = await openAccess({ issuer: `http://127.0.0.1:${await freePort()}` });
  expect(await beginSignIn({ to: '/' }, away)).toEqual({ refused: 'away' });
});
