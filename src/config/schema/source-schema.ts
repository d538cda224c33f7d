import { z } from 'zod';
import type { Secret } from '../secrets/secret.ts';
import { names } from './names.ts';
import { hostName, httpUrl } from './service-schema.ts';
import { duration } from './units.ts';

/** A credential as written: the text itself or the path of a file that holds it. */
const secretInput = z.union([z.string().min(1), z.strictObject({ file: z.string().min(1) })], {
  error: 'expected a non-empty text, "${NAME}" or { file: PATH }',
});

/** How to identify ourselves to a server, as written. */
export const auth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('basic'), user: z.string(), password: secretInput }),
  z.strictObject({ type: z.literal('bearer'), token: secretInput }),
  z.strictObject({ type: z.literal('header'), name: z.string().min(1), value: secretInput }),
]);

const directorySource = z.strictObject({
  type: z.literal('directory'),
  path: z.string().min(1),
  pattern: z.string().min(1).default('*'),
  settle: duration.prefault('5s'),
  followLinks: z.boolean().default(false),
  deadline: duration.prefault('1h'),
});

const httpSource = z.strictObject({
  type: z.literal('http'),
  url: httpUrl,
  headers: names(z.string(), secretInput).prefault({}),
  auth: auth.default({ type: 'none' }),
  timeout: duration.prefault('30s'),
  deadline: duration.prefault('1h'),
  maxRedirects: z.int().min(0).max(20).default(5),
  allowHosts: z.array(hostName).default([]),
});

/** How files are chosen in a folder of a server. */
const serverFolder = {
  host: hostName,
  path: z.string().min(1),
  pattern: z.string().min(1).default('*'),
  ready: z.string().min(1).optional(),
  settle: duration.prefault('5s'),
  timeout: duration.prefault('30s'),
  deadline: duration.prefault('1h'),
};

const port = z.int().min(1).max(65_535);

const HOST_KEY = 'expected the fingerprint of the host key, SHA256: and 43 letters, digits, "+" and "/"';

const sftpSource = z.strictObject({
  type: z.literal('sftp'),
  ...serverFolder,
  port: port.optional(),
  user: z.string().min(1),
  password: secretInput.optional(),
  key: secretInput.optional(),
  passphrase: secretInput.optional(),
  hostKey: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/u, HOST_KEY)
    .optional(),
  oldAlgorithms: z.boolean().default(false),
});

const ftpSource = z.strictObject({
  type: z.literal('ftp'),
  ...serverFolder,
  port: port.optional(),
  tls: z.enum(['explicit', 'implicit', 'none']).default('explicit'),
  user: z.string().min(1),
  password: secretInput.optional(),
  charset: z.string().default('utf-8'),
});

/** Where a feed's file comes from, as written. */
export const source = z.discriminatedUnion('type', [directorySource, httpSource, sftpSource, ftpSource]);

export type SecretInput = z.output<typeof secretInput>;
export type ParsedAuth = z.output<typeof auth>;
export type ParsedSource = z.output<typeof source>;
type ParsedHttpSource = z.output<typeof httpSource>;
type ParsedSftpSource = z.output<typeof sftpSource>;
type ParsedFtpSource = z.output<typeof ftpSource>;

/** How to identify ourselves to a server, with credentials that cannot be printed by accident. */
export type AuthConfig =
  | { type: 'none' }
  | { type: 'basic'; user: string; password: Secret }
  | { type: 'bearer'; token: Secret }
  | { type: 'header'; name: string; value: Secret };

export type DirectorySource = z.output<typeof directorySource>;
export type HttpSource = Omit<ParsedHttpSource, 'auth' | 'headers'> & {
  auth: AuthConfig;
  headers: Record<string, Secret>;
};
export type SftpSource = Omit<ParsedSftpSource, 'password' | 'key' | 'passphrase'> & {
  password?: Secret;
  key?: Secret;
  passphrase?: Secret;
};
export type FtpSource = Omit<ParsedFtpSource, 'password'> & { password?: Secret };
/** A folder on a server. */
export type ServerSource = SftpSource | FtpSource;
export type SourceConfig = DirectorySource | HttpSource | ServerSource;
