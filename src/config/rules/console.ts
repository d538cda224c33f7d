import { isLoopback } from '../loopback.ts';
import type { Finding } from '../read/problem.ts';
import type { Config } from '../schema/schema.ts';
import { isTimeZone } from './schedule.ts';

/** Beyond this machine passwords and sessions travel encrypted only, and the console has to know under which address. */
export function consoleIsSafe({ web }: Config): Finding[] {
  const { listen, publicUrl } = web;
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  const findings: Finding[] = [];
  if (listen !== null && !isLoopback(listen.host) && url?.protocol !== 'https:') {
    const message = `${listen.host} can be reached from other machines: write the https address that its users open as web.publicUrl, or listen on 127.0.0.1`;
    findings.push({ path: ['web', 'listen'], message });
  }
  if (url !== null && (url.pathname !== '/' || url.search !== '' || url.hash !== '')) {
    findings.push({ path: ['web', 'publicUrl'], message: 'the console is at the root of its host: remove the path' });
  }
  if (url !== null && (url.username !== '' || url.password !== '')) {
    findings.push({ path: ['web', 'publicUrl'], message: 'the address contains a user and password; remove them' });
  }
  if (url?.protocol === 'http:' && !isLoopback(url.hostname)) {
    findings.push({
      path: ['web', 'publicUrl'],
      message: 'passwords would travel unencrypted: write an https address',
    });
  }
  return findings;
}

/** The console shows its times in one zone. */
export function consoleHasTimeZone({ web }: Config): Finding[] {
  if (isTimeZone(web.timezone)) return [];
  return [
    { path: ['web', 'timezone'], message: `unknown time zone "${web.timezone}"; write one such as Europe/Berlin` },
  ];
}

/** A provider sends browsers back to the console, and is believed where nobody else can answer for it. */
export function providerCanSignIn({ web: { oidc, publicUrl } }: Config): Finding[] {
  if (oidc === undefined) return [];
  const issuer = URL.parse(oidc.issuer);
  const found: [path: string[], message: string | false][] = [
    [
      [],
      publicUrl === undefined && 'the provider sends browsers back to web.publicUrl: write the address that users open',
    ],
    [
      ['issuer'],
      issuer?.protocol === 'http:' &&
        !isLoopback(issuer.hostname) &&
        'anybody on the way could answer for the provider: write an https address',
    ],
    [
      ['issuer'],
      issuer !== null &&
        [issuer.search, issuer.hash, issuer.username, issuer.password].some((part) => part !== '') &&
        'an issuer is an address without a query, a fragment and a user: remove them',
    ],
    [
      ['roles'],
      Object.values(oidc.roles).every((groups) => groups === undefined) &&
        'nobody could sign in: name the groups of a role, such as admin: [offerline-admins]',
    ],
    [['scopes'], !oidc.scopes.includes('openid') && 'without openid it is no sign-in: add it'],
  ];
  return found.flatMap(([path, message]) => (message === false ? [] : [{ path: ['web', 'oidc', ...path], message }]));
}

/** Headers that browsers send by themselves, or that say something else here. */
const OF_BROWSERS = new Set(
  'accept accept-encoding accept-language authorization connection content-length content-type cookie expect forwarded host last-event-id origin referer sec-fetch-site transfer-encoding user-agent via x-forwarded-for x-forwarded-host x-forwarded-proto'.split(
    ' ',
  ),
);

/** A proxy says who somebody is, and it is plain what they may do. */
export function proxyCanSignIn({ web: { oidc, proxy } }: Config): Finding[] {
  if (proxy === undefined) return [];
  const { groups, roles, role } = proxy;
  const named = (['header', 'groups', 'email'] as const).flatMap((key) => {
    const name = proxy[key]?.toLowerCase();
    return name === undefined ? [] : [{ key, name }];
  });
  const found: [path: string[], message: string | false][] = [
    [[], oidc !== undefined && 'users are signed in by web.oidc already: remove one of the two'],
    ...named.map(({ key, name }, at): [string[], string | false] => [
      [key],
      (OF_BROWSERS.has(name) && 'browsers send this header, too: name one that only the proxy sets') ||
        (named.slice(0, at).some((other) => other.name === name) && 'each needs a header of its own: name another one'),
    ]),
    [
      [],
      role === undefined &&
        (groups === undefined || roles === undefined) &&
        'nothing says what its users may do: write role, such as role: viewer, or groups and roles',
    ],
    [
      ['role'],
      role !== undefined &&
        (groups !== undefined || roles !== undefined) &&
        'is what all users of the proxy may do, whatever their groups: remove it, or groups and roles',
    ],
    [
      ['roles'],
      roles !== undefined &&
        Object.values(roles).every((of) => of === undefined) &&
        'nobody could sign in: name the groups of a role, such as admin: [offerline-admins]',
    ],
  ];
  return found.flatMap(([path, message]) => (message === false ? [] : [{ path: ['web', 'proxy', ...path], message }]));
}
