import { z } from './zod.ts';
import { duration } from './units.ts';

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
});
