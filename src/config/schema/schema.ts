import { archive } from './archive-schema.ts';
import { AUDIENCES } from '../../incidents.ts';
import { languages, USUAL_LANGUAGE } from '../../wording/language/language.ts';
import { z } from './zod.ts';
import { withDefaultColumns } from './default-columns.ts';
import { name, names } from './names.ts';
import { service } from './service-schema.ts';
import type { WithSecrets } from './credential.ts';
import type { RowRule } from '../../model.ts';
import type { SpellingTable } from '../../parts/spellings.ts';
import { auth } from './sources/auth.ts';
import { source } from './source-schema.ts';
import { duration, part, share, size } from './units.ts';
import { web } from './web-schema.ts';
import { worker } from './worker-schema.ts';

/**
 * The shape of `offerline.yaml` with every default (docs/reference/configuration.md). Input is what a user writes; output has durations in
 * milliseconds, sizes in bytes, shares as fractions. Cross-references are checked in rules.ts; credentials and paths are
 * resolved by load.ts, which gives the `Config` that the rest of the program sees.
 */

/** A feed's guards: only what it overrides of its login's. */
const feedGuard = z.strictObject({
  minRows: z.int().min(0).optional(),
  maxRowDrop: part.optional(),
  maxRowGrowth: share.optional(),
  maxRejected: part.optional(),
  maxBrandDrop: part.optional(),
  maxTagDrop: part.optional(),
  maxPartsGone: part.optional(),
  maxPriceJump: part.optional(),
  maxStockDrop: part.optional(),
  maxLeftOut: part.optional(),
});

const loginGuard = feedGuard.extend({
  minRows: z.int().min(0).default(1),
  maxRowDrop: part.prefault('50%'),
  maxRejected: part.prefault('20%'),
  maxPartsGone: part.prefault('50%'),
  maxLeftOut: part.prefault('20%'),
});

/** The guards of a login that has written none. */
export function loginGuardDefaults(): Guard {
  return loginGuard.parse({});
}

/** What is reported and changes nothing: a feed overrides its login's. */
const feedAlarm = z.strictObject({ maxRemoteRejected: part.optional() });

const loginAlarm = z.strictObject({ maxRemoteRejected: part.prefault('20%') });

const offerColumn = z.strictObject({
  required: z.boolean().optional(),
  names: z.array(z.string().min(1)).optional(),
  list: z.boolean().optional(),
});

const offer = z.strictObject({
  layout: z.enum(['txt', 'csv']).default('txt'),
  delimiter: z.enum([',', ';']).default(','),
  charset: z.enum(['UTF-8', 'UTF-16']).default('UTF-8'),
  zip: z.boolean().default(false),
  tagSeparator: z.string().length(1).default(','),
  columns: names(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'expected a column key of letters, digits, "-" and "_"'),
    offerColumn.nullable(),
  )
    .prefault({})
    .transform(withDefaultColumns),
});

/** A text that is put into cells. */
const cellText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, 'expected a text on one line, without tabs and control characters');

/** What a person decides about rows. Conditions are read by `readCondition`, because they hold one another. */
const rule = z.strictObject({
  name: cellText.max(60),
  when: names(z.string(), z.unknown()).optional(),
  leaveOut: z.literal(true).optional(),
  tags: z.strictObject({ add: z.array(cellText).optional(), remove: z.array(cellText).optional() }).optional(),
  set: z.strictObject({ name: cellText.optional(), brand: cellText.optional() }).optional(),
  off: z.literal(true).optional(),
});

const login = z.strictObject({
  auth: auth.prefault({ type: 'none' }),
  guard: loginGuard.prefault({}),
  coalesce: duration.prefault('60s'),
  merge: z.strictObject({ tags: z.enum(['winner', 'union']).default('winner') }).prefault({}),
  onForeign: z.enum(['alarm', 'restore']).default('alarm'),
  alarm: loginAlarm.prefault({}),
  rules: z.array(rule).optional(),
});

/** Languages that people read. */
const language = z.enum(languages());

/** Who delivers a feed's files. */
const supplier = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^\P{C}*$/u, 'expected a name on one line, without control characters')
    .optional(),
  email: z.email().optional(),
  language: language.optional(),
  timezone: z.string().optional(),
});

/** A column that is seen and not uploaded: header spellings, a position from 1, `auto` or `off`. */
const signal = z.union([z.string().min(1), z.array(z.string().min(1)).min(1), z.int().min(1)]);

/** The brand of parts that stand below headings, which are in no column. */
const fromHeadings = z.strictObject({ from: z.literal('headings') });
/** What parts several numbers in one cell: a mark, or several of them. */
const numberSeparator = z.union([z.string().min(1).max(20), z.array(z.string().min(1).max(20)).min(1).max(20)]);

/** Spellings of brands: for each brand the others, and a file of them. */
const brands = z.strictObject({
  aliases: names(z.string(), z.array(z.string())).optional(),
  file: z.string().min(1).optional(),
});

/** What is taken off numbers at their beginning and their end. */
const strip = z.strictObject({
  prefix: z.array(cellText.max(20)).optional(),
  suffix: z.array(cellText.max(20)).optional(),
});

const feed = z.strictObject({
  login: name,
  source,
  entry: z.string().min(1).optional(),
  sheet: z.union([z.string().min(1), z.int().min(1)]).optional(),
  records: z.string().optional(),
  schedule: z.strictObject({ cron: z.string().min(1), timezone: z.string().default('UTC') }).optional(),
  priority: z.int().default(100),
  columns: names(
    z.string(),
    z.union([z.string().min(1), z.array(z.string().min(1)).min(1), z.int().min(1), fromHeadings]),
  ).prefault({}),
  dialect: z
    .strictObject({
      charset: z.string().default('auto'),
      delimiter: z
        .string()
        .default('auto')
        .transform((text) => (text === 'tab' ? '\t' : text)),
      header: z.union([z.literal('auto'), z.boolean(), z.int().min(1)]).default('auto'),
    })
    .prefault({}),
  onBadRow: z.enum(['drop', 'reject-file']).default('drop'),
  onTooManyTags: z.enum(['reject', 'truncate']).default('reject'),
  onDamagedNumber: z.enum(['drop', 'keep']).default('drop'),
  brands: brands.optional(),
  rules: z.array(rule).optional(),
  values: z.strictObject({ keep: z.array(z.string().min(1)).default([]) }).prefault({}),
  tags: z.strictObject({ separator: z.string().length(1).optional() }).prefault({}),
  numbers: z
    .strictObject({
      separator: numberSeparator.optional(),
      take: z.enum(['each', 'first', 'whole']).optional(),
      split: z.enum(['brand-number', 'number-name']).optional(),
      strip: strip.optional(),
    })
    .optional(),
  repair: z.array(z.enum(['mojibake', 'lookalikes', 'control-characters'])).default([]),
  defaults: names(z.string(), z.string()).prefault({}),
  signals: z.strictObject({ price: signal.default('auto'), stock: signal.default('auto') }).optional(),
  guard: feedGuard.prefault({}),
  alarm: feedAlarm.prefault({}),
  expires: duration.optional(),
  expectEvery: duration.optional(),
  supplier: supplier.optional(),
  notify: z.enum(['off', 'draft']).default('off'),
});

const manager = z.strictObject({
  email: z.email(),
  audience: z.enum(AUDIENCES).default('managers'),
  language: language.optional(),
  feeds: z.array(name).optional(),
  brands: z.array(z.string().min(1)).optional(),
  when: z
    .array(z.enum(['problem', 'recovered', 'always', 'daily', 'weekly', 'monthly']))
    .default(['problem', 'recovered']),
});

/** The days of a week as they are written, in the order of cron's numbers. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time of day such as 06:00')
  .default('06:00');

/** Backups that a worker makes by itself. */
const backup = z.strictObject({
  to: z.string().trim().min(1),
  cron: z.string().min(1),
  timezone: z.string().default('UTC'),
  keep: z.int().min(1).max(999_999).optional(),
  tolerance: duration.prefault('2h'),
});

/** Limits on what a supplier may send, so that a broken or hostile file ends in a clear refusal. */
const limits = z.strictObject({
  fileSize: size.prefault('5GB'),
  unpackedSize: size.prefault('20GB'),
  unpackRatio: z.int().min(1).default(1000),
  zipEntries: z.int().min(1).default(1000),
  cellLength: z.int().min(1).default(10_000),
  rowLength: z.int().min(1).default(1_000_000),
  downloadSize: size.prefault('20GB'),
  readTime: duration.prefault('10m'),
});

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  service: service.prefault({}),
  offer: offer.prefault({}),
  logins: names(name, login),
  feeds: names(name, feed),
  brands: brands.optional(),
  managers: z.array(manager).default([]),
  mail: z
    .strictObject({
      from: z.email().default('offerline@localhost.localdomain'),
      language: language.default(USUAL_LANGUAGE),
      daily: z.strictObject({ at: timeOfDay, timezone: z.string().default('UTC') }).prefault({}),
      weekly: z
        .strictObject({ day: z.enum(WEEKDAYS).default('monday'), at: timeOfDay, timezone: z.string().default('UTC') })
        .prefault({}),
    })
    .prefault({}),
  keep: z
    .strictObject({
      deliveries: duration.prefault('90d'),
      datasets: z.int().min(1).default(10),
      reports: duration.prefault('400d'),
    })
    .prefault({}),
  limits: limits.prefault({}),
  worker: worker.prefault({}),
  archive: archive.prefault({ type: 'folder' }),
  backup: backup.optional(),
  web: web.prefault({}),
});

/**
 * A configuration as users write it.
 * @internal exported for tests
 */
export type ConfigInput = z.input<typeof configSchema>;
/** What the schema gives: credentials and paths are still as written. */
export type ParsedConfig = z.output<typeof configSchema>;

/** The tables of spellings that `brands` makes with its files: the common one, and those of feeds that have spellings of their own. */
export type Spellings = { common: SpellingTable | null; feeds: Record<string, SpellingTable> };
/** A rule as the configuration has it. */
export type WrittenRule = z.output<typeof rule>;
/** Spellings as the configuration has them. */
export type BrandsConfig = z.output<typeof brands>;

/** The resolved configuration: credentials are `Secret`s and every path is absolute. */
export type Config = Omit<WithSecrets<ParsedConfig>, '$schema'> & {
  spellings?: Spellings;
  rowRules?: Record<string, RowRule[]>;
};
export type FeedConfig = Config['feeds'][string];
export type ResolvedConfig = Config;
/** Damage that a feed's settings allow to be mended. */
export type Repair = FeedConfig['repair'][number];
/** How a feed names the columns that are seen and not uploaded. */
export type SignalSettings = NonNullable<FeedConfig['signals']>;
/** What a feed does with several numbers in one cell. */
export type TakenNumbers = NonNullable<NonNullable<FeedConfig['numbers']>['take']>;
export type Limits = Config['limits'];
export type BackupSettings = NonNullable<Config['backup']>;
export type Guard = z.output<typeof feedGuard>;
export type Manager = Config['managers'][number];
export type OfferConfig = Config['offer'];
