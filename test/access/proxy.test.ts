import { expect, test } from 'vitest';
import { readProxied, type ProxyHeader, type ProxySettings } from '../../src/access/proxy.ts';

const PROXY: ProxySettings = {
  header: 'X-Forwarded-User',
  from: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
  groups: 'X-Forwarded-Groups',
  groupsSeparator: ',',
  roles: { ops: ['it'] },
  email: 'X-Forwarded-Email',
  localUsers: true,
};

function read(headers: [name: string, value: string][], peer: string | undefined = '127.0.0.1'): ProxyHeader {
  return readProxied({ headers: headers.flat(), peer }, PROXY);
}

const ANNA: [string, string] = ['X-Forwarded-User', 'anna'];

test('what the proxy says of somebody is read, whatever capitals its headers have', () => {
  const headers: [string, string][] = [
    ['host', 'offers.example.com'],
    ['x-forwarded-user', 'anna'],
    ['X-FORWARDED-GROUPS', 'it, Domain Users,,Eink\u00C3\u00A4ufer'],
    ['x-forwarded-email', 'anna@example.com'],
  ];
  const groups = ['it', 'Domain Users', 'Einkäufer'];
  expect(read(headers)).toEqual({ kind: 'said', name: 'anna', groups, email: 'anna@example.com' });
});

test.each(['127.0.0.1', '::ffff:127.0.0.1', '10.200.0.1', '::ffff:10.0.0.9', 'fd00::7', 'fd00::7%eth0'])(
  'the proxy may come from %s',
  (peer) => {
    expect(read([ANNA], peer)).toMatchObject({ kind: 'said', name: 'anna' });
  },
);

test.each(['127.0.0.2', '192.0.2.1', '::1', '::ffff:192.0.2.1', 'fe80::1', ''])(
  'who comes from %s is not the proxy',
  (peer) => {
    expect(readProxied({ headers: ANNA, peer }, PROXY)).toEqual({ kind: 'foreign' });
  },
);

test('of a connection that is closed already it is not known whose header it has', () => {
  expect(readProxied({ headers: ANNA, peer: undefined }, PROXY)).toEqual({ kind: 'gone' });
  expect(readProxied({ headers: ['host', 'here'], peer: undefined }, PROXY)).toEqual({ kind: 'none' });
});

test('an address in another header is none of the socket', () => {
  expect(read([ANNA, ['X-Forwarded-For', '127.0.0.1'], ['Forwarded', 'for=127.0.0.1']], '192.0.2.1')).toEqual({
    kind: 'foreign',
  });
});

test.each(['X_Forwarded_User', 'X-Forwarded_User', 'X-Forwarded-Users', 'X-Forwarded-User-', 'XForwardedUser'])(
  '%s is another header',
  (name) => {
    expect(read([[name, 'root']])).toEqual({ kind: 'none' });
    expect(read([ANNA, [name, 'root']])).toMatchObject({ kind: 'said', name: 'anna' });
  },
);

test.each([
  ['blank', ''],
  ['of two words', 'anna root'],
  ['with a comma', 'anna,root'],
  ['with a tab', 'anna\troot'],
  ['with a control character', 'anna\u0000'],
  ['with letters that are no ASCII', 'ann\u00E4'],
  ['with a hidden letter', 'anna\u00AD'],
  ['too long', 'a'.repeat(201)],
])('a name that is %s is refused', (_what, name) => {
  expect(read([['X-Forwarded-User', name]])).toMatchObject({ kind: 'odd' });
});

test.each([
  ['the name', 'x-forwarded-user', 'anna'],
  ['the groups', 'x-forwarded-groups', 'it'],
  ['the address', 'x-forwarded-email', 'anna@example.com'],
])('%s that came twice is refused, also where both are the same', (_what, name, value) => {
  expect(
    read([ANNA, [name, value], ...(name === 'x-forwarded-user' ? [] : ([[name, value]] as [string, string][]))]),
  ).toEqual({
    kind: 'odd',
    reason: expect.stringMatching(/ came 2 times$/u) as string,
  });
});

test.each([
  ['no UTF-8', 'it,\u00FF'],
  ['a control character', 'it\u0007'],
  ['more than anybody has', 'g'.repeat(8001)],
])('groups with %s are refused', (_what, groups) => {
  expect(read([ANNA, ['X-Forwarded-Groups', groups]])).toEqual({
    kind: 'odd',
    reason: 'X-Forwarded-Groups cannot be read',
  });
});

test('groups with commas in their names stay whole where another character stands between them', () => {
  const headers = [...ANNA, 'X-Forwarded-Groups', 'cn=x,offerline-admins | it'];
  const groups = ['cn=x,offerline-admins', 'it'];
  expect(readProxied({ headers, peer: '127.0.0.1' }, { ...PROXY, groupsSeparator: '|' })).toMatchObject({ groups });
});

test('without a header of addresses a name that is one counts as that', () => {
  const { email: _email, ...proxy } = PROXY;
  const said = (name: string) => readProxied({ headers: ['X-Forwarded-User', name], peer: '10.0.0.1' }, proxy);
  expect(said('anna@example.com')).toMatchObject({ name: 'anna@example.com', email: 'anna@example.com' });
  expect(said('anna')).toMatchObject({ email: null });
  expect(read([['X-Forwarded-User', 'anna@example.com']])).toMatchObject({ email: null });
});
