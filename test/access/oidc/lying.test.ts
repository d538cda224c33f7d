import { beforeAll, expect, test } from 'vitest';
import { sessionOf } from '../../../src/access/sessions.ts';
import { goThrough, openAccess } from '../../support/oidc/access.ts';
import { startLyingProvider, type Lies, type LyingProvider } from '../../support/oidc/lying-provider.ts';

let provider: LyingProvider;

beforeAll(async () => {
  provider = await startLyingProvider();
});

/** Signs in at the provider while it tells these lies. */
async function signIn(lies: Lies) {
  provider.lies = lies;
  const ctx = await openAccess({ issuer: provider.issuer });
  return { ctx, done: await goThrough(ctx, provider.back) };
}

const seconds = (from: number) => Math.floor(Date.now() / 1000) + from;

test('without a lie it signs somebody in', async () => {
  const { ctx, done } = await signIn({});
  expect(done).toMatchObject({ to: '/runs' });
  if (!('session' in done)) throw new Error('nobody was signed in');
  expect(await sessionOf(done.session, ctx)).toMatchObject({ name: 'anna', role: 'admin' });
});

const LIES: [what: string, lies: Lies][] = [
  ['a description of another issuer', { description: { issuer: 'https://evil.example' } }],
  ['an ID token of another issuer', { claims: { iss: 'https://evil.example' } }],
  ['an ID token for another console', { claims: { aud: 'another' } }],
  ['an ID token for several, given to another', { claims: { aud: ['offerline', 'another'], azp: 'another' } }],
  ['an ID token for nobody', { claims: { aud: undefined } }],
  ['an ID token that is not signed', { signed: 'not at all' }],
  ['an ID token signed with the public key as a secret', { signed: 'with the public key' }],
  ['an ID token signed with the key of somebody else', { signed: 'with another key' }],
  ['an ID token of another sign-in', { claims: { nonce: 'of another' } }],
  ['an ID token without a nonce', { claims: { nonce: undefined } }],
  ['an ID token that is over', { claims: { exp: seconds(-120) } }],
  ['an ID token that is not valid yet', { claims: { nbf: seconds(600) } }],
  ['an ID token without an end', { claims: { exp: undefined } }],
  ['an ID token about nobody', { claims: { sub: undefined } }],
  ['no ID token', { silent: true }],
  ['an answer that another issuer gave', { back: { iss: 'https://evil.example' } }],
  ['an answer that does not say who gave it', { back: { iss: null } }],
  ['an answer to another question', { back: { state: 'of another' } }],
  ['an answer to no question', { back: { state: null } }],
];

test.each(LIES)('%s signs nobody in', async (_, lies) => {
  const { ctx, done } = await signIn(lies);
  expect(done).toMatchObject({ refused: 'untrusted' });
  expect(await ctx.ledger.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  expect(await ctx.ledger.db.selectFrom('users').selectAll().execute()).toEqual([]);
  expect(ctx.entries).toMatchObject([{ level: 40, kind: 'untrusted', msg: 'sign-in by the provider failed' }]);
});

test.each([
  ['has ended half a minute ago', { claims: { exp: seconds(-30) } }],
  ['begins in half a minute', { claims: { nbf: seconds(30), iat: seconds(30) } }],
])('an ID token that %s is believed: clocks differ', async (_, lies) => {
  expect((await signIn(lies)).done).toHaveProperty('session');
});

test.each([
  ['a fault of the provider', { status: 502, text: '<h1>Bad Gateway</h1>' }],
  ['too many questions', { status: 429, text: '' }],
  ['a page of a proxy before it', { status: 200, text: '<h1>Sign in to the network</h1>' }],
  ['an endless answer', { status: 200, text: 'x'.repeat(2_000_000) }],
])('%s is no lie: it is away', async (_, answers) => {
  expect((await signIn({ answers })).done).toMatchObject({ refused: 'away' });
});

test('somebody without a group has no role, and no user is made', async () => {
  const { ctx, done } = await signIn({ claims: { groups: ['canteen'] } });
  expect(done).toMatchObject({ refused: 'noRole' });
  expect(await ctx.ledger.db.selectFrom('users').selectAll().execute()).toEqual([]);
  const audit = await ctx.ledger.db.selectFrom('audit').select(['action', 'who', 'subject', 'origin']).execute();
  expect(audit).toEqual([{ action: 'refuse', who: '(unknown)', subject: 'sign-in', origin: '10.0.0.1' }]);
});

test.each([
  ['what it says of somebody who said no', 'access_denied', 'denied'],
  ['that it has no time', 'temporarily_unavailable', 'away'],
  ['that it does not know this console', 'unauthorized_client', 'setup'],
])('%s is said', async (_, error, refused) => {
  expect((await signIn({ back: { code: null, error } })).done).toMatchObject({ refused });
});
