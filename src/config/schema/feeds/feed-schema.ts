import { languages } from '../../../wording/language/language.ts';
import { credential } from '../credential.ts';
import { expect } from '../expect/expect-schema.ts';
import { name, names } from '../names.ts';
import { source } from '../source-schema.ts';
import { duration } from '../units.ts';
import { z } from '../zod.ts';
import { change, delivery } from './changes-schema.ts';
import { feedDecisions } from './decision-schema.ts';
import { feedAlarm, feedGuard } from './guard-schema.ts';
import { dialect, entries, join } from './join-schema.ts';
import { brands, rule, strip } from './row-schema.ts';

/** Languages that people read. */
export const language = z.enum(languages());

/** A link to a supplier's page that ends sooner would hardly be opened in time. */
const SHORTEST_LINK = 3_600_000;

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
  page: z.boolean().default(false),
  pageExpires: duration.refine((ms) => ms >= SHORTEST_LINK, 'expected at least 1h').prefault('90d'),
});

/** A column that is seen and not uploaded: header spellings, a position from 1, `auto` or `off`. */
const signal = z.union([z.string().min(1), z.array(z.string().min(1)).min(1), z.int().min(1)]);

/** The brand of parts that stand below headings, which are in no column. */
const fromHeadings = z.strictObject({ from: z.literal('headings') });
/** What parts several numbers in one cell: a mark, or several of them. */
const numberSeparator = z.union([z.string().min(1).max(20), z.array(z.string().min(1).max(20)).min(1).max(20)]);

/** What opens files that are encrypted. */
const unpack = z.strictObject({
  password: credential('line').optional(),
  pgp: z
    .strictObject({
      key: credential('text').optional(),
      passphrase: credential('line').optional(),
      signedBy: z.string().min(1).optional(),
    })
    .optional(),
});

/** A feed: where its files come from, how they are read, and what is expected of them. */
export const feed = z.strictObject({
  login: name,
  source,
  entry: z.string().min(1).optional(),
  entries: entries.optional(),
  join: join.optional(),
  unpack: unpack.optional(),
  sheet: z.union([z.string().min(1), z.int().min(1)]).optional(),
  records: z.string().optional(),
  schedule: z.strictObject({ cron: z.string().min(1), timezone: z.string().default('UTC') }).optional(),
  priority: z.int().default(100),
  columns: names(
    z.string(),
    z.union([z.string().min(1), z.array(z.string().min(1)).min(1), z.int().min(1), fromHeadings]),
  ).prefault({}),
  dialect,
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
  decisions: feedDecisions.optional(),
  expires: duration.optional(),
  expectEvery: duration.optional(),
  expect: expect.optional(),
  delivery: delivery.default('full'),
  change: change.optional(),
  supplier: supplier.optional(),
  notify: z.enum(['off', 'draft']).default('off'),
});
