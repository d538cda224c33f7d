import { z } from '../zod.ts';
import { hostName } from '../service-schema.ts';
import { duration } from '../units.ts';
import type { WithSecrets } from '../credential.ts';
import { basicAuth, keyAuth, noAuth } from './auth.ts';
import { choosing } from './folders.ts';

/** Where a server is, and which of its folders is meant. */
const server = {
  host: hostName,
  port: z.int().min(1).max(65_535).optional(),
  path: z.string().min(1),
  ...choosing,
  timeout: duration.prefault('30s'),
};

const HOST_KEY = 'expected the fingerprint of the host key, SHA256: and 43 letters, digits, "+" and "/"';

/** A folder on an SFTP server, as written. */
export const sftpSource = z.strictObject({
  type: z.literal('sftp'),
  ...server,
  auth: z.discriminatedUnion('type', [basicAuth, keyAuth]),
  hostKey: z
    .string()
    .regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/u, HOST_KEY)
    .optional(),
  oldAlgorithms: z.boolean().default(false),
});

/** A folder on an FTP server, as written. */
export const ftpSource = z.strictObject({
  type: z.literal('ftp'),
  ...server,
  security: z.enum(['explicit', 'implicit', 'none']).default('explicit'),
  auth: z.discriminatedUnion('type', [noAuth, basicAuth]).prefault({ type: 'none' }),
  charset: z.string().default('utf-8'),
});

export type SftpSource = WithSecrets<z.output<typeof sftpSource>>;
export type FtpSource = WithSecrets<z.output<typeof ftpSource>>;
