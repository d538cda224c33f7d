import { z } from 'zod';
import type { Secret } from '../../secrets/secret.ts';
import { httpUrl } from '../service-schema.ts';

/** A credential as written: the text itself or the path of a file that holds it. */
export const secretInput = z.union([z.string().min(1), z.strictObject({ file: z.string().min(1) })], {
  error: 'expected a non-empty text, "${NAME}" or { file: PATH }',
});

export const noAuth = z.strictObject({ type: z.literal('none') });
export const basicAuth = z.strictObject({ type: z.literal('basic'), user: z.string(), password: secretInput });
const bearerAuth = z.strictObject({ type: z.literal('bearer'), token: secretInput });
const headerAuth = z.strictObject({ type: z.literal('header'), name: z.string().min(1), value: secretInput });

/** How to identify ourselves over HTTP, as written. */
export const auth = z.discriminatedUnion('type', [noAuth, basicAuth, bearerAuth, headerAuth]);

const oauth2Auth = z.strictObject({
  type: z.literal('oauth2'),
  tokenUrl: httpUrl,
  clientId: z.string().min(1),
  clientSecret: secretInput,
  scope: z.string().min(1).optional(),
});

/** How to identify ourselves to a supplier's web server: as to the service, or with a token that is fetched. */
export const webAuth = z.discriminatedUnion('type', [noAuth, basicAuth, bearerAuth, headerAuth, oauth2Auth]);

/** A private key; `password` for a server that asks for both. */
export const keyAuth = z.strictObject({
  type: z.literal('key'),
  user: z.string().min(1),
  key: secretInput,
  passphrase: secretInput.optional(),
  password: secretInput.optional(),
});

export type SecretInput = z.output<typeof secretInput>;

/** What was parsed, with each credential in a form that cannot be printed by accident. */
export type WithSecrets<T> = T extends unknown
  ? { [K in keyof T]: SecretInput extends T[K] ? Secret | Exclude<T[K], SecretInput> : T[K] }
  : never;

/** How to identify ourselves to a server, with credentials that cannot be printed by accident. */
export type AuthConfig = WithSecrets<z.output<typeof auth>>;
export type WebAuth = WithSecrets<z.output<typeof webAuth>>;
