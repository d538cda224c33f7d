import { z } from 'zod';
import type { OfferConfig } from '../../config/schema/schema.ts';
import type {
  AcceptedColumn,
  Cause,
  ColumnLook,
  Detection,
  FoundPart,
  HeldDiff,
  JoinedFile,
  ListFile,
  MergedTags,
  Outcome,
  Receipt,
  RowCounts,
  RuleAccount,
  SkippedRows,
  RunAnswer,
  Signals,
  WantedPart,
} from '../../model.ts';
import type {
  Checkpoint,
  DatasetPart,
  FeedAccount,
  IncidentNumbers,
  KeptCounts,
  ListedFile,
  MailSubject,
  Marks,
  Refusal,
  RunOptions,
  ServiceState,
} from './json-values.ts';
import type { HookFacts } from './hook-schema.ts';

/**
 * The values of the columns that hold JSON, and what must be true of a value that is read. Each schema is only as strict as
 * the code that uses the value: it accepts what earlier versions wrote and keeps the keys that it does not know.
 */

const text = z.string();
const count = z.number();
const flag = z.boolean();
const texts = z.array(text);

const change = z.looseObject({
  base: count,
  carried: count,
  added: count,
  changed: count,
  same: count,
  removed: count,
  absent: count,
});

const counts = {
  read: count,
  // Earlier versions made one offer of each row.
  expanded: count.default(0),
  accepted: count,
  rejectedLocally: count,
  duplicates: count,
  // Earlier versions knew no rules.
  leftOut: count.default(0),
  // Earlier versions did not count them.
  skipped: count.default(0),
  change: change.exactOptional(),
};

const account = {
  ...counts,
  outranked: count,
  contributed: count,
  rejectedRemotely: count,
  live: count,
  unexplained: count,
};

const listed: z.ZodType<ListedFile> = z.looseObject({
  name: text,
  size: count,
  mtimeMs: count.nullable(),
  id: text.exactOptional(),
  shownAt: z.number().exactOptional(),
  inexact: z.literal(true).exactOptional(),
});

const options: z.ZodType<RunOptions> = z.looseObject({
  force: flag.exactOptional(),
  file: text.exactOptional(),
  given: z.looseObject({ host: text, bytes: count, modifiedAt: count }).exactOptional(),
  approved: flag.exactOptional(),
  approvedAt: count.exactOptional(),
  alone: flag.exactOptional(),
  putAgain: flag.exactOptional(),
  remapped: flag.exactOptional(),
  reading: z.looseObject({ charset: text, delimiter: text }).exactOptional(),
  partnerReadings: z.array(z.looseObject({ partner: text, charset: text, delimiter: text })).exactOptional(),
  files: z.array(listed).exactOptional(),
  waiting: z.looseObject({ looks: count, until: count, missing: texts }).exactOptional(),
  waitingChanges: count.exactOptional(),
  remarks: texts.exactOptional(),
  follows: text.exactOptional(),
  wait: flag.exactOptional(),
  from: z.enum(['pull', 'validate', 'upload', 'report']).exactOptional(),
  of: text.exactOptional(),
  cause: trusted<Cause>(text).exactOptional(),
});

const checkpoint: z.ZodType<Checkpoint | null> = z
  .looseObject({
    origin: text,
    name: text,
    size: count,
    sha256: text,
    mtimeMs: count.nullable(),
    ctimeMs: count.exactOptional(),
    etag: text.exactOptional(),
    lastModified: text.exactOptional(),
    id: text.exactOptional(),
  })
  .nullable();

const detection: z.ZodType<Detection> = z.looseObject({
  // Earlier versions read texts only.
  format: trusted<Detection['format']>(text).default('text'),
  parts: trusted<Detection['parts']>(z.array(z.looseObject({}))).default([]),
  charset: text,
  bom: flag,
  delimiter: text.nullable(),
  quote: text.nullable(),
  newline: text,
  header: flag,
  sure: flag,
  confidence: count,
  escape: text.nullable(),
  columns: texts,
  headerLine: count,
  // Earlier versions recorded no width.
  width: count.default(0),
  // Earlier versions did not know of it.
  spacedQuotes: flag.default(false),
  wholeLines: flag.default(false),
  passedOver: texts.default([]),
  openEnd: flag.exactOptional(),
  files: trusted<ListFile[]>(
    z.array(z.looseObject({ name: text, line: count, places: z.array(count) })),
  ).exactOptional(),
  joined: trusted<NonNullable<Detection['joined']>>(
    z.looseObject({ name: text, written: z.looseObject({}) }),
  ).exactOptional(),
  partner: text.exactOptional(),
  wraps: trusted<Detection['wraps']>(z.looseObject({ backslashes: flag })).default({ backslashes: false, columns: [] }),
  // Earlier versions were always sure of it.
  headerSure: z.boolean().default(true),
  evidence: texts,
  // Earlier versions recorded neither mapping, looks, habits nor readings.
  mapping: trusted<Detection['mapping']>(z.array(z.looseObject({}))).default([]),
  looks: trusted<Detection['looks']>(z.array(z.looseObject({ values: count }))).default([]),
  habits: trusted<Detection['habits']>(z.looseObject({ makers: texts, shapes: texts }).nullable()).default(null),
  readings: trusted<Detection['readings']>(z.array(z.looseObject({}))).default([]),
});

const feedAccount: z.ZodType<FeedAccount> = z.looseObject({
  ...account,
  rejections: z.looseObject({ sha256: text, total: count }).nullable().exactOptional(),
});

const receipt: z.ZodType<Receipt> = z.looseObject({
  verified: flag,
  checks: z.array(z.looseObject({ check: text, result: z.enum(['ok', 'failed', 'unavailable']), detail: text })),
});

const refusal: z.ZodType<Refusal> = z.looseObject({
  status: count,
  text,
  operation: text.exactOptional(),
  retryAfter: count.nullable().exactOptional(),
  listed: texts.exactOptional(),
  beside: flag.exactOptional(),
  told: z.literal(true).exactOptional(),
});

const about: z.ZodType<MailSubject> = z.discriminatedUnion('of', [
  z.looseObject({ of: z.literal('run'), run: text, outcome: trusted<Outcome>(text) }),
  z.looseObject({
    of: z.literal('incidents'),
    phase: z.enum(['problem', 'reminder', 'affected', 'recovery']),
    incidents: texts,
  }),
  z.looseObject({ of: z.enum(['day', 'week', 'month']), day: text, from: count, to: count }),
]);

const facts: z.ZodType<HookFacts> = trusted(
  z.discriminatedUnion('of', [
    z.looseObject({ of: z.literal('run'), run: text, outcome: text, before: text.nullable(), cause: text }),
    z.looseObject({
      of: z.literal('incident'),
      incident: z.looseObject({ id: text, kind: text, login: text, text, openedAt: count }),
      change: text.nullable(),
    }),
    z.looseObject({ of: z.literal('dataset'), login: text, intent: text }),
    z.looseObject({ of: z.literal('decision'), decision: z.looseObject({ id: text, action: text, subject: text }) }),
  ]),
);

/** The columns that hold JSON, by table. Each value is decoded and encoded by the ledger's connection (json-plugin.ts). */
export const JSON_COLUMNS: Record<string, Record<string, z.ZodType>> = {
  runs: {
    options,
    checkpoint,
    detection,
    counts: z.looseObject({
      ...counts,
      skippedRows: trusted<SkippedRows[]>(z.array(z.looseObject({ kind: text, rows: count }))).exactOptional(),
      rules: trusted<RuleAccount>(
        z.looseObject({
          rules: z.array(z.looseObject({ rule: text, rows: count })),
          numbers: z.array(z.looseObject({ column: text })),
        }),
      ).exactOptional(),
      files: z.array(z.looseObject({ file: text, ...counts })).exactOptional(),
      joined: trusted<JoinedFile[]>(
        z.array(z.looseObject({ role: text, file: text, columns: texts, rows: count, joined: count })),
      ).exactOptional(),
    }) satisfies z.ZodType<KeptCounts>,
    issues: z.record(text, count),
    columns: texts,
    cell_names: texts,
    account: z.looseObject(account) satisfies z.ZodType<RowCounts>,
    diff: trusted<HeldDiff>(z.looseObject({ of: z.enum(['feed', 'dataset']), brands: z.array(z.looseObject({})) })),
    signals: trusted<Signals>(
      z.looseObject({ seen: z.looseObject({ rows: count }), findings: z.array(z.looseObject({ code: text })) }),
    ),
    reports: z.looseObject({ html: text, csv: text, json: text }) satisfies z.ZodType<RunAnswer['reports']>,
  },
  feeds: { checkpoint },
  accepted_columns: {
    accepted: z.array(
      z.looseObject({
        key: text,
        column: text.nullable(),
        position: count,
        // Earlier versions did not record it.
        look: trusted<ColumnLook>(z.looseObject({ values: count })).exactOptional(),
      }),
    ) satisfies z.ZodType<AcceptedColumn[]>,
    header_cells: texts,
  },
  taken_files: { listed },
  datasets: {
    parts: z.array(z.looseObject({ feed: text, run: text, rows: count, outranked: count })) satisfies z.ZodType<
      DatasetPart[]
    >,
    offer: trusted<OfferConfig>(
      z.looseObject({ layout: text, delimiter: text, charset: text, columns: z.record(text, z.looseObject({})) }),
    ),
    merged_tags: trusted<MergedTags>(z.looseObject({ rows: count, cut: count, examples: z.array(z.looseObject({})) })),
  },
  intents: { known_ids: texts, receipt, accounts: z.record(text, feedAccount) },
  uploads: {
    marks: z.record(text, z.looseObject({ at: count, watched: count })) satisfies z.ZodType<Marks>,
    refusal,
    record: z.looseObject({
      state: text,
      linesProcessed: count,
      lastModified: count,
      error: text.nullable(),
      errorFileExists: flag,
    }) satisfies z.ZodType<ServiceState>,
  },
  incidents: { numbers: z.record(text, z.union([count, text, z.null()])) satisfies z.ZodType<IncidentNumbers> },
  mails: { about },
  findability: {
    answers: trusted<FoundPart[]>(z.array(z.looseObject({ brand: text, oem: text, found: text }))),
    wanted: trusted<WantedPart[]>(z.array(z.looseObject({ brand: text, oem: text, why: text }))),
  },
  workers: { serves: texts },
  hook_events: { facts },
};

/** A value whose outline is checked; its details are taken as this program wrote them. */
function trusted<T>(outline: z.ZodType): z.ZodType<T> {
  return outline as z.ZodType<T>;
}
