import { z } from 'zod';

const ROLES = ['brand', 'oem', 'name', 'tags'] as const;

function isPattern(text: string): boolean {
  try {
    return new RegExp(`^(?:${text})$`, 'u').source !== '';
  } catch {
    return false;
  }
}

/** A credential as written in a settings file; it is compared by its hash only. */
export const credentialSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('basic'), user: z.string(), password: z.string() }),
  z.strictObject({ type: z.literal('bearer'), token: z.string().min(1) }),
  z.strictObject({ type: z.literal('header'), name: z.string().min(1), value: z.string().min(1) }),
]);

export type WrittenCredential = z.output<typeof credentialSchema>;

/** Who may enter, and what they may do there. */
const loginEntry = z.strictObject({
  auth: credentialSchema,
  rights: z.array(z.literal('MANAGE_OFFERS')).default(['MANAGE_OFFERS']),
});

const limits = z.strictObject({
  /** Tags at one position (a limit of the service). */
  tags: z.int().min(0).default(20),
  brandLength: z.int().min(1).default(64),
  oemLength: z.int().min(1).default(64),
  nameLength: z.int().min(1).default(255),
  tagLength: z.int().min(1).default(64),
  /** Different tags in one file; more fail the upload, so that memory stays bounded. */
  distinctTags: z.int().min(1).default(100_000),
  /** Characters of one row; a longer one fails the upload. */
  rowLength: z.int().min(1).default(1_000_000),
  /** Bytes of one request body; more are refused with 413. */
  uploadBytes: z.int().min(1).default(10_000_000_000),
  /** Bytes of the text inside a zip; more fail the upload. */
  textBytes: z.int().min(1).default(40_000_000_000),
});

/** Everything about the sandbox that the interface leaves open, with its defaults. Times are milliseconds. */
export const settingsSchema = z.strictObject({
  /** Absent: every credential is let in and makes a login of its own. */
  logins: z.array(loginEntry).optional(),
  /** Names of further headers that carry a credential. */
  credentialHeaders: z.array(z.string().min(1)).default([]),
  /** Multipart field of the file. */
  fileField: z.string().min(1).default('offersFile'),
  /** Header names in the offer file, by their role; compared without case and outer spaces. */
  columns: z
    .strictObject({
      brand: z.string().min(1).default('brand'),
      oem: z.string().min(1).default('oem'),
      name: z.string().min(1).default('name'),
      tags: z.string().min(1).default('tags'),
    })
    .prefault({}),
  requiredColumns: z.array(z.enum(ROLES)).default(['brand', 'oem']),
  tagSeparator: z.string().min(1).default(','),
  limits: limits.prefault({}),
  /** Brands that the service does not know; compared without case. */
  blockedBrands: z.array(z.string()).default(['NO NAME', 'NONAME', 'UNKNOWN', 'NONSUCH']),
  /** What an article number may consist of: a regular expression for the whole of it. */
  oemPattern: z
    .string()
    .refine(isPattern, 'expected a regular expression')
    .default(String.raw`[\p{L}\p{M}\p{N} .,:;'/()+*#&_\-–—]+`),
  /** The leading columns of the error file: header name → the fact below it. */
  errorColumns: z
    .record(z.string().min(1), z.enum(['line', 'code', 'message']))
    .default({ errorLine: 'line', errorCode: 'code', errorMessage: 'message' }),
  /** Whether the reply of offer/process is the bare record or `{data, requestId}`. */
  processReply: z.enum(['bare', 'data']).default('bare'),
  /** Whether linesProcessed counts the header. */
  countHeader: z.boolean().default(false),
  /** The first offer id. Ids go up by two, so that with this default each of them is beyond what a double can hold. */
  firstOfferId: z
    .string()
    .regex(/^[1-9]\d{0,18}$/, 'expected a whole number as text')
    .default('9007199254740993'),
  retentionDays: z.number().positive().default(90),
  /** The catalog: what its document leaves open. */
  catalog: z
    .strictObject({
      /** Where commands are sent to. */
      commandPath: z
        .string()
        .regex(/^\/[\w./-]+$/, 'expected a path such as /catalog')
        .default('/catalog'),
      /** Whether the values of a command are percent encoded. */
      commandValues: z.enum(['plain', 'percent']).default('plain'),
      /** What the addresses of illustrations begin with. */
      imageUrl: z.url().default('https://images.example.com'),
    })
    .prefault({}),
});

export type SandboxSettings = z.output<typeof settingsSchema>;
export type SandboxSettingsInput = z.input<typeof settingsSchema>;
export type ColumnRole = (typeof ROLES)[number];

/** How long an upload waits and how long it is processed, in milliseconds of the sandbox's clock. */
export type Pace = { queued: number; processing: number };

export const DEFAULT_PACE: Pace = { queued: 100, processing: 200 };

/** How long indexing a vehicle takes, in the same milliseconds. */
export const DEFAULT_INDEX_TIME = 300;
