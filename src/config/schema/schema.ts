import { archive } from './archive-schema.ts';
import { AUDIENCES } from '../../incidents.ts';
import { decisions } from './feeds/decision-schema.ts';
import { feed, language } from './feeds/feed-schema.ts';
import { type feedGuard, loginAlarm, loginGuard } from './feeds/guard-schema.ts';
import { brands, rule, strip } from './feeds/row-schema.ts';
import { USUAL_LANGUAGE } from '../../wording/language/language.ts';
import { z } from './zod.ts';
import { withDefaultColumns } from './default-columns.ts';
import { hook } from './hooks/hook-schema.ts';
import { name, names } from './names.ts';
import { service } from './service-schema.ts';
import type { WithSecrets } from './credential.ts';
import type { RowRule } from '../../model.ts';
import type { SpellingTable } from '../../parts/spellings.ts';
import { auth } from './sources/auth.ts';
import { duration, size } from './units.ts';
import { web } from './web-schema.ts';
import { worker } from './worker-schema.ts';

/**
 * The shape of `offerline.yaml` with every default (docs/reference/configuration.md). Input is what a user writes; output has durations in
 * milliseconds, sizes in bytes, shares as fractions. Cross-references are checked in rules.ts; credentials and paths are
 * resolved by load.ts, which gives the `Config` that the rest of the program sees.
 */

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

const login = z.strictObject({
  auth: auth.prefault({ type: 'none' }),
  guard: loginGuard.prefault({}),
  coalesce: duration.prefault('60s'),
  merge: z.strictObject({ tags: z.enum(['winner', 'union']).default('winner') }).prefault({}),
  onForeign: z.enum(['alarm', 'restore']).default('alarm'),
  alarm: loginAlarm.prefault({}),
  decisions: decisions.optional(),
  rules: z.array(rule).optional(),
});

/** What was taken of what offerline proposed: settings of feeds that a person would write as well, in a file of their own. */
export const learnedSchema = z.strictObject({
  feeds: names(
    name,
    z.strictObject({
      brands: z.strictObject({ aliases: names(z.string(), z.array(z.string())).prefault({}) }).optional(),
      numbers: z.strictObject({ strip: strip.prefault({}) }).optional(),
      rules: z.array(rule).optional(),
    }),
  ).prefault({}),
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
  decisions: decisions.optional(),
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
  hooks: names(name, hook).prefault({}),
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
/** What a file of learned settings says. */
export type Learned = z.output<typeof learnedSchema>;
/** A rule as the configuration has it. */
export type WrittenRule = z.output<typeof rule>;
/** Spellings as the configuration has them. */
export type BrandsConfig = z.output<typeof brands>;

/** The resolved configuration: credentials are `Secret`s and every path is absolute. */
export type Config = Omit<WithSecrets<ParsedConfig>, '$schema'> & {
  spellings?: Spellings;
  rowRules?: Record<string, RowRule[]>;
  /** Of feeds whose holidays stand in a file, its days. */
  fileHolidays?: Record<string, string[]>;
};
export type FeedConfig = Config['feeds'][string];
/** How the files of a delivery are joined, as the configuration has it. */
export type JoinConfig = NonNullable<FeedConfig['join']>;
export type ResolvedConfig = Config;
/** Damage that a feed's settings allow to be mended. */
export type Repair = FeedConfig['repair'][number];
/** How a feed names the columns that are seen and not uploaded. */
export type SignalSettings = NonNullable<FeedConfig['signals']>;
/** What a feed does with several numbers in one cell. */
export type TakenNumbers = NonNullable<NonNullable<FeedConfig['numbers']>['take']>;
/** When deliveries of a feed are due. */
export type ExpectConfig = NonNullable<FeedConfig['expect']>;
export type Limits = Config['limits'];
export type BackupSettings = NonNullable<Config['backup']>;
export type Guard = z.output<typeof feedGuard>;
export type Manager = Config['managers'][number];
export type OfferConfig = Config['offer'];
