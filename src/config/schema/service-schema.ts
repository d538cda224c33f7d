import { z } from './zod.ts';
import { duration, rate } from './units.ts';

const HTTP_URL = 'expected an address that starts with http:// or https://';
/** An address of a web server. */
export const httpUrl = z.url({ protocol: /^https?$/, error: HTTP_URL });

/** A host as it stands in an address. */
export const hostName = z
  .string()
  .regex(
    /^(\[[\da-f:.]+\]|[\da-z_.-]+)$/iu,
    'expected a host such as files.example.com, without http:// and without a port',
  );

/** How the search is asked whether live parts are found. */
const findability = z.strictObject({
  sample: z.int().min(10).max(1000).default(100),
  rate: rate.prefault('1/s'),
  every: duration.prefault('7d'),
  locale: z
    .string()
    .regex(/^[a-z]{2}_[A-Z]{2}$/, 'expected a locale such as en_US')
    .default('en_US'),
});

/** How the service is reached, and what its interface leaves open. */
export const service = z.strictObject({
  baseUrl: z.union([z.literal('sandbox'), httpUrl], { error: `${HTTP_URL}, or the word sandbox` }).optional(),
  catalogUrl: httpUrl.optional(),
  timeout: duration.prefault('30s'),
  retries: z.int().min(0).max(10).default(3),
  paths: z.enum(['auto', 'short', 'long']).default('auto'),
  oems: z.enum(['repeat', 'comma']).default('repeat'),
  catalogForm: z.enum(['rest', 'command']).default('rest'),
  commandPath: z
    .string()
    .regex(/^\/[\w./-]+$/, 'expected a path such as /catalog')
    .default('/catalog'),
  commandValues: z.enum(['refuse', 'percent']).default('refuse'),
  upload: z
    .strictObject({
      body: z.enum(['multipart', 'raw']).default('multipart'),
      field: z.string().min(1).default('offersFile'),
      parametersIn: z.enum(['query', 'body']).default('query'),
    })
    .prefault({}),
  poll: z
    .strictObject({
      initial: duration.prefault('1s'),
      max: duration.prefault('30s'),
      stall: duration.prefault('15m'),
      deadline: duration.prefault('2h'),
      settle: duration.prefault('10m'),
      watch: duration.prefault('5m'),
      patience: duration.prefault('30s'),
      index: duration.prefault('60s'),
    })
    .prefault({}),
  findability: z
    .union([z.literal('off'), findability])
    .optional()
    .transform((written) => written ?? findability.parse({})),
});
