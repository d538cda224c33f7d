import { isIP } from 'node:net';
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
  roles: z.strictObject({ admin: groups, ops: groups, manager: groups, viewer: groups }),
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

/** The console. `publicUrl`: what its users write into their browsers; `trustProxy`: its requests come through a proxy that says from where. */
export const web = z.strictObject({
  listen,
  publicUrl: z
    .url({ protocol: /^https?$/u, error: 'expected an address such as https://offers.example.com' })
    .optional(),
  trustProxy: z.boolean().default(false),
  timezone: z.string().default('UTC'),
  oidc: oidc.optional(),
  secondFactor: z.array(z.enum(['viewer', 'manager', 'ops', 'admin'])).default([]),
});
