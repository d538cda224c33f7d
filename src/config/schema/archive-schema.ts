import type { WithSecrets } from './credential.ts';
import { s3Place, s3Signers } from './sources/s3.ts';
import { duration, size } from './units.ts';
import { z } from './zod.ts';

/** A part `..` of a path is resolved before it is sent: the objects would lie in another bucket. */
export function leavesBucket(prefix: string): boolean {
  return prefix.split('/').some((part) => part === '.' || part === '..');
}

/** Where files are kept: a folder in the home, or a bucket that several machines share. */
export const archive = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('folder') }),
  z.strictObject({
    type: z.literal('s3'),
    ...s3Place,
    prefix: z
      .string()
      .regex(/^[A-Za-z0-9._\-/]*$/u, 'expected letters, digits and the signs . _ - /')
      .refine((prefix) => !leavesBucket(prefix), 'expected no part . or .., which would lead out of the bucket')
      .optional(),
    auth: z
      .discriminatedUnion('type', [...s3Signers, z.strictObject({ type: z.literal('instance') })])
      .prefault({ type: 'environment' }),
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
