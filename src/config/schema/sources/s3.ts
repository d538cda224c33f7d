import { z } from '../zod.ts';
import { httpUrl } from '../service-schema.ts';
import { duration } from '../units.ts';
import { credential, type WithSecrets } from '../credential.ts';
import { choosing } from './folders.ts';

/** Who signs: keys that are written here, those of the environment, or a profile of a credentials file. */
export const s3Signers = [
  z.strictObject({
    type: z.literal('basic'),
    user: z.string().min(1),
    password: credential('line'),
    sessionToken: credential().optional(),
  }),
  z.strictObject({ type: z.literal('environment') }),
  z.strictObject({
    type: z.literal('profile'),
    file: z.string().min(1),
    profile: z.string().min(1),
  }),
] as const;

/** Where a bucket is. */
export const s3Place = {
  // It is named in messages; keys have a place of their own.
  endpoint: httpUrl
    .refine((address) => !/[@?#]/u.test(address), 'expected an address without a login, ? and #; keys belong into auth')
    .optional(),
  region: z.string().min(1).default('us-east-1'),
  bucket: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/u, 'expected the name of a bucket'),
  style: z.enum(['path', 'host']).default('path'),
};

/** Objects of a bucket under a prefix, as written. */
export const s3Source = z.strictObject({
  type: z.literal('s3'),
  ...s3Place,
  prefix: z.string().min(1).optional(),
  auth: z.discriminatedUnion('type', s3Signers).prefault({ type: 'environment' }),
  ...choosing,
  timeout: duration.prefault('30s'),
});

export type S3Source = WithSecrets<z.output<typeof s3Source>>;
