import { credential, type WithSecrets } from './credential.ts';
import { httpUrl } from './service-schema.ts';
import { duration, size } from './units.ts';
import { z } from './zod.ts';

/** Who signs: keys that are written here, those of the environment, a profile of a credentials file, or those of the instance's role. */
const archiveAuth = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('basic'),
    user: z.string().min(1),
    password: credential('line'),
    sessionToken: credential().optional(),
  }),
  z.strictObject({ type: z.literal('environment') }),
  z.strictObject({ type: z.literal('profile'), file: z.string().min(1), profile: z.string().min(1) }),
  z.strictObject({ type: z.literal('instance') }),
]);

/** Where files are kept: a folder in the home, or a bucket that several machines share. */
export const archive = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('folder') }),
  z.strictObject({
    type: z.literal('s3'),
    endpoint: httpUrl.optional(),
    region: z.string().min(1).default('us-east-1'),
    bucket: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/u, 'expected the name of a bucket'),
    prefix: z
      .string()
      .regex(/^[A-Za-z0-9._\-/]*$/u, 'expected letters, digits and the signs . _ - /')
      .optional(),
    style: z.enum(['path', 'host']).default('path'),
    auth: archiveAuth.prefault({ type: 'environment' }),
    encryption: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('AES256') }),
        z.strictObject({ type: z.literal('aws:kms'), key: z.string().min(1).optional() }),
      ])
      .optional(),
    ca: z.string().min(1).optional(),
    timeout: duration.prefault('60s'),
    cache: size.prefault('5GB'),
  }),
]);

export type ArchiveSettings = WithSecrets<z.output<typeof archive>>;
export type S3ArchiveSettings = Extract<ArchiveSettings, { type: 's3' }>;
