import { z } from '../zod.ts';
import { credential, type WithSecrets } from '../credential.ts';
import { httpUrl } from '../service-schema.ts';

export const noAuth = z.strictObject({ type: z.literal('none') });
export const basicAuth = z.strictObject({ type: z.literal('basic'), user: z.string(), password: credential('line') });
const bearerAuth = z.strictObject({ type: z.literal('bearer'), token: credential() });
const headerAuth = z.strictObject({ type: z.literal('header'), name: z.string().min(1), value: credential() });

/** How to identify ourselves over HTTP, as written. */
export const auth = z.discriminatedUnion('type', [noAuth, basicAuth, bearerAuth, headerAuth]);

/** A client that fetches its token. */
export const oauth2Auth = z.strictObject({
  type: z.literal('oauth2'),
  tokenUrl: httpUrl,
  clientId: z.string().min(1),
  clientSecret: credential('line'),
  scope: z.string().min(1).optional(),
});

/** How to identify ourselves to a supplier's web server: as to the service, or with a token that is fetched. */
export const webAuth = z.discriminatedUnion('type', [noAuth, basicAuth, bearerAuth, headerAuth, oauth2Auth]);

/** A private key; `password` for a server that asks for both. */
export const keyAuth = z.strictObject({
  type: z.literal('key'),
  user: z.string().min(1),
  key: credential('text'),
  passphrase: credential('line').optional(),
  password: credential('line').optional(),
});

/** How to identify ourselves to a server, with credentials that cannot be printed by accident. */
export type AuthConfig = WithSecrets<z.output<typeof auth>>;
export type WebAuth = WithSecrets<z.output<typeof webAuth>>;
