import { isIP } from 'node:net';
import { readNetwork } from '../networks.ts';
import { credential } from './credential.ts';
import { z } from './zod.ts';

/** Where the console listens: a host or IP address of this machine, and a port. Port 0 is any free one. */
export type ListenAddress = { host: string; port: number };

const LISTEN =
  'expected an address and a port of this machine such as 127.0.0.1:8480 or [::1]:8480, or none for no console';

/** `none`, or `HOST:PORT` with the brackets of IPv6. */
const listen = z
  .string({ error: LISTEN })
  .default('127.0.0.1:8480')
  .transform((text, check): ListenAddress | null => {
    if (text === 'none') return null;
    const address = parseListen(text);
    if (address === null) check.addIssue({ code: 'custom', message: LISTEN });
    return address;
  });

function parseListen(text: string): ListenAddress | null {
  const [, host = '', digits = ''] = /^(\[[0-9a-fA-F:.%]+\]|[A-Za-z0-9.-]+):(\d{1,5})$/u.exec(text) ?? [];
  const bare = host.replace(/^\[(.*)\]$/u, '$1');
  const port = Number(digits);
  if (host === '' || port > 65_535 || (host.startsWith('[') && isIP(bare) !== 6)) return null;
  return { host: bare, port };
}

const groups = z.array(z.string().min(1)).min(1).optional();
/** The groups of a role, as whoever signs users in calls them. */
const roles = z.strictObject({ admin: groups, ops: groups, manager: groups, viewer: groups });

/**
 * The provider that signs users in by OpenID Connect. `roles`: which groups, as it calls them, may do what; `claims`: what its claims are called, those
 * within others with dots between; `feeds`: which feeds a manager has, else those of the `managers` entries with their address.
 */
const oidc = z.strictObject({
  issuer: z.url({
    protocol: /^https?$/u,
    error: 'expected the address of an issuer such as https://login.example.com',
  }),
  clientId: z.string().min(1),
  clientSecret: credential('text'),
  scopes: z.array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/u)).default(['openid', 'profile', 'email']),
  roles,
  claims: z
    .strictObject({
      name: z.string().min(1).default('preferred_username'),
      email: z.string().min(1).default('email'),
      roles: z.string().min(1).default('groups'),
      feeds: z.string().min(1).optional(),
    })
    .prefault({}),
  localUsers: z.boolean().default(true),
});

const header = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/u, 'expected the name of a header such as X-Forwarded-User');

const FROM =
  'expected the addresses of the proxy, such as 127.0.0.1 or 10.1.0.7: the header counts from these only, and would sign in anybody else who sends it';

const OF_PROXY =
  'expected an address of the proxy such as 10.1.0.7, or a network whose other bits are zero such as 10.1.0.0/28; IPv4 within IPv6 as IPv4';

const SIGN_OUT =
  'expected an address such as https://login.example.com/logout, or a path of the console such as /oauth2/sign_out';

const SEPARATOR = 'expected one character that stands between groups and in none of them, such as , or | or ;';

/**
 * The proxy that signs users in, and says who they are in a header. `from`: its own addresses; `role`: what all of them may do, in place of `groups` (the
 * header with their groups, `groupsSeparator` between them) and `roles`; `email`: the header with their address; `signOutUrl`: where they sign out of the proxy.
 */
const proxy = z.strictObject({
  header,
  from: z
    .array(
      z.string().refine((text) => readNetwork(text) !== null, OF_PROXY),
      { error: FROM },
    )
    .min(1, FROM),
  groups: header.optional(),
  groupsSeparator: z
    .string()
    .regex(/^[!-/:-@[-`{-~]$/u, SEPARATOR)
    .default(','),
  roles: roles.optional(),
  role: z.enum(['viewer', 'manager', 'ops', 'admin']).optional(),
  email: header.optional(),
  signOutUrl: z
    .string()
    .refine((text) => /^\/(?![/\\])/u.test(text) || /^https?:$/u.test(URL.parse(text)?.protocol ?? ''), SIGN_OUT)
    .optional(),
  localUsers: z.boolean().default(true),
});

/** The console. `publicUrl`: what its users write into their browsers; `trustProxy`: its requests come through a proxy that says from where. */
export const web = z.strictObject({
  listen,
  publicUrl: z
    .url({ protocol: /^https?$/u, error: 'expected an address such as https://offers.example.com' })
    .optional(),
  trustProxy: z.boolean().default(false),
  timezone: z.string().default('UTC'),
  oidc: oidc.optional(),
  proxy: proxy.optional(),
  secondFactor: z.array(z.enum(['viewer', 'manager', 'ops', 'admin'])).default([]),
});
