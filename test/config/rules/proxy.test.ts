import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { load, problemsOf } from '../config-file.ts';

const PROXY = { header: 'X-Forwarded-User', from: ['127.0.0.1'], role: 'viewer' };

/** A configuration whose users a proxy signs in; `undefined` leaves a setting out. */
function config(more: Record<string, unknown>, web: object = {}): string {
  const proxy = Object.fromEntries(Object.entries({ ...PROXY, ...more }).filter(([, value]) => value !== undefined));
  const north = { login: 'main', source: { type: 'directory', path: 'inbox' } };
  return stringify({ web: { proxy, ...web }, logins: { main: {} }, feeds: { north } });
}

const FROM =
  'expected the addresses of the proxy, such as 127.0.0.1 or 10.1.0.7: the header counts from these only, and would sign in anybody else who sends it';
const OF_PROXY =
  'expected an address of the proxy such as 10.1.0.7, or a network whose other bits are zero such as 10.1.0.0/28; IPv4 within IPv6 as IPv4';
const OIDC = { issuer: 'https://login.example.com', clientId: 'us', clientSecret: 'x', roles: { admin: ['a'] } };

test.each<[string, string, string]>([
  ['nobody says from where it comes', config({ from: undefined }), `web.proxy.from is missing; ${FROM}`],
  ['it comes from nowhere', config({ from: [] }), `web.proxy.from ${FROM}`],
  ['it has no address', config({ from: ['proxy'] }), `web.proxy.from[0] ${OF_PROXY}`],
  ['a network may be meant alone', config({ from: ['127.0.0.1', '10.0.0.5/8'] }), `web.proxy.from[1] ${OF_PROXY}`],
  [
    'it is called as no header is',
    config({ header: 'X_Forwarded_User' }),
    'web.proxy.header expected the name of a header such as X-Forwarded-User',
  ],
  [
    'browsers send the header',
    config({ header: 'User-Agent' }),
    'web.proxy.header browsers send this header, too: name one that only the proxy sets',
  ],
  [
    'one header says two things',
    config({ email: 'x-forwarded-user' }),
    'web.proxy.email each needs a header of its own: name another one',
  ],
  [
    'nothing says what its users may do',
    config({ role: undefined }),
    'web.proxy nothing says what its users may do: write role, such as role: viewer, or groups and roles',
  ],
  [
    'groups are not read',
    config({ role: undefined, roles: { admin: ['a'] } }),
    'web.proxy nothing says what its users may do: write role, such as role: viewer, or groups and roles',
  ],
  [
    'a role makes the groups mean nothing',
    config({ groups: 'X-Forwarded-Groups', roles: { admin: ['a'] } }),
    'web.proxy.role is what all users of the proxy may do, whatever their groups: remove it, or groups and roles',
  ],
  [
    'no group has a role',
    config({ role: undefined, groups: 'X-Forwarded-Groups', roles: {} }),
    'web.proxy.roles nobody could sign in: name the groups of a role, such as admin: [offerline-admins]',
  ],
  [
    'groups stand together',
    config({ role: undefined, groups: 'X-Forwarded-Groups', roles: { ops: ['it'] }, groupsSeparator: 'ab' }),
    'web.proxy.groupsSeparator expected one character that stands between groups and in none of them, such as , or | or ;',
  ],
  [
    'one signs out at an address of a script',
    config({ signOutUrl: 'javascript:alert(1)' }),
    'web.proxy.signOutUrl expected an address such as https://login.example.com/logout, or a path of the console such as /oauth2/sign_out',
  ],
  [
    'one signs out at the host of somebody else by mistake',
    config({ signOutUrl: '//evil.example/' }),
    'web.proxy.signOutUrl expected an address such as https://login.example.com/logout, or a path of the console such as /oauth2/sign_out',
  ],
  [
    'a provider signs users in as well',
    config({}, { publicUrl: 'https://offers.example.com', oidc: OIDC }),
    'web.proxy users are signed in by web.oidc already: remove one of the two',
  ],
])('a proxy is refused where %s', async (_what, text, problem) => {
  const problems = (await problemsOf(text)).map((line) => line.replace(/^\S+ /u, ''));
  // What was written is shown behind it.
  expect(problems.filter((line) => line.startsWith(problem))).toHaveLength(1);
});

test('a proxy can be named by groups or by one role', async () => {
  const groups = {
    role: undefined,
    groups: 'X-Forwarded-Groups',
    roles: { ops: ['it'] },
    signOutUrl: '/oauth2/sign_out',
  };
  for (const text of [config({}), config(groups)]) {
    const { config: loaded, warnings } = await load(text);
    expect(loaded.web.proxy).toMatchObject({ header: 'X-Forwarded-User', localUsers: true });
    expect(warnings.filter(({ path }) => path.startsWith('web.'))).toEqual([]);
  }
});

test('it is said when others than the proxy can send the header', async () => {
  const open = config(
    { from: ['10.1.0.16/28', '10.0.0.0/8', '0.0.0.0/0', '::/0', 'fd00::/120'] },
    { listen: '0.0.0.0:8480', publicUrl: 'https://offers.example.com' },
  );
  const { warnings } = await load(open);
  expect(
    warnings.filter(({ path }) => path.startsWith('web.')).map(({ path, message }) => `${path}: ${message}`),
  ).toEqual([
    'web.proxy.from: 10.0.0.0/8 has addresses of others: whoever sends X-Forwarded-User from one of them signs in as anybody; name the addresses of the proxy only',
    'web.proxy.from: 0.0.0.0/0 has addresses of others: whoever sends X-Forwarded-User from one of them signs in as anybody; name the addresses of the proxy only',
    'web.proxy.from: ::/0 has addresses of others: whoever sends X-Forwarded-User from one of them signs in as anybody; name the addresses of the proxy only',
    'web.listen: 0.0.0.0 is every address of this machine, and X-Forwarded-User signs users in: listen on the address that the proxy comes to, or let nobody else reach the port',
  ]);
});

test('nobody else can send the header to a console that only this machine reaches', async () => {
  const { warnings } = await load(config({ from: ['10.0.0.0/8'] }));
  expect(warnings.filter(({ path }) => path.startsWith('web.'))).toEqual([]);
});
