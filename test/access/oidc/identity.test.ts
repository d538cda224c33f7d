import { expect, test } from 'vitest';
import { identityIn } from '../../../src/access/oidc/identity.ts';

const CLAIMS = { name: 'preferred_username', email: 'email', roles: 'groups' };
const SETTINGS = { claims: CLAIMS, roles: { admin: ['admins', 'root'], ops: ['ops'], manager: ['buyers'] } };

test('of several groups the one counts that may do most', () => {
  const claims = { preferred_username: 'anna', groups: ['buyers', 'ops', 'canteen'] };
  expect(identityIn(claims, SETTINGS)).toEqual({ names: ['anna'], email: null, role: 'ops', feeds: null });
});

test.each([
  ['no groups', {}],
  ['groups that have no role', { groups: ['canteen', 'Admins', 'admins '] }],
  ['groups that are none', { groups: { admins: true } }],
  ['numbers', { groups: [0, null, ['admins']] }],
])('%s give no role', (_, claims) => {
  expect(identityIn(claims, SETTINGS).role).toBeNull();
});

test('groups may be one text, or stand within another claim', () => {
  expect(identityIn({ groups: 'root' }, SETTINGS).role).toBe('admin');
  const nested = { ...SETTINGS, claims: { ...CLAIMS, roles: 'realm_access.roles' } };
  expect(identityIn({ realm_access: { roles: ['ops'] } }, nested).role).toBe('ops');
  expect(identityIn({ 'realm_access.roles': ['buyers'], realm_access: { roles: ['ops'] } }, nested).role).toBe(
    'manager',
  );
  const odd = { ...SETTINGS, claims: { ...CLAIMS, roles: 'constructor.name' } };
  expect(identityIn({}, odd).role).toBeNull();
});

test('an address counts unless the provider says that nobody has verified it', () => {
  const claims = { email: 'anna@example.com' };
  expect(identityIn(claims, SETTINGS)).toMatchObject({ names: ['anna@example.com'], email: 'anna@example.com' });
  expect(identityIn({ ...claims, email_verified: true }, SETTINGS).email).toBe('anna@example.com');
  expect(identityIn({ ...claims, email_verified: false }, SETTINGS).email).toBeNull();
  expect(identityIn({ email: 'no address' }, SETTINGS).email).toBeNull();
});

test('a claim may say which feeds a manager has; without it they have none', () => {
  const settings = { ...SETTINGS, claims: { ...CLAIMS, feeds: 'feeds' } };
  expect(identityIn({ feeds: ['north', 'rhein'] }, settings).feeds).toBe('north,rhein');
  expect(identityIn({ feeds: 'north, rhein' }, settings).feeds).toBe('north,rhein');
  expect(identityIn({}, settings).feeds).toBe('');
});
