import { z } from 'zod';
import type { OfferConfig } from '../../config/schema/schema.ts';
import type {
  AcceptedColumn,
  Cause,
  ColumnLook,
  Detection,
  HeldDiff,
  LocalCounts,
  MergedTags,
  Outcome,
  Receipt,
  RowCounts,
  SkippedRows,
  RunAnswer,
  Signals,
} from '../../model.ts';

/**
 * The values of the columns that hold JSON, and what must be true of a value that is read. Each schema is only as strict as
 * the code that uses the value: it accepts what earlier versions wrote and keeps the keys that it does not know.
 */

/** What was asked of a run, and what was decided about it on its way. */
export type RunOptions = {
  /** Ignores `unchanged`. */
  force?: boolean;
  /** A file given by hand instead of the feed's source. */
  file?: string;
  /** A person released it: no guard looks at it. */
  approved?: boolean;
  /** When, in epoch milliseconds. */
  approvedAt?: number;
  /** The service failed a dataset that its candidate was in together with others: it is uploaded alone. */
  alone?: boolean;
  /** A person accepted columns or took a reading for it, and it was read again: a newer delivery goes first. */
  remapped?: boolean;
  /** A person said which of its readings is right, for this file only. */
  reading?: { charset: string; delimiter: string };
  /** Its delivery was damaged before it was read, and pulled once more. */
  pulledAgain?: boolean;
  /** Someone waits: the lane does not coalesce. */
  wait?: boolean;
  /** The stage that a re-run starts at, and the run whose archived bytes it uses. */
  from?: 'pull' | 'validate' | 'upload' | 'report';
  of?: string;
  /** Why it ended as it did; runs of earlier versions have none. */
  cause?: Cause;
};

/** A file as its place lists it. */
export type ListedFile = {
  /** The name as the place has it. */
  name: string;
  /** Bytes. */
  size: number;
  /** Epoch milliseconds by the place's clock; null when the place does not say. */
  mtimeMs: number | null;
  /** What the protocol changes with the content, such as an ETag or the UID of a mail. */
  id?: string;
  /** Epoch milliseconds by a clock whose zone is not known, where there is no better time: it orders files, and says no more. */
  shownAt?: number;
  /** The place does not know the exact size: what comes may have more or fewer bytes. */
  inexact?: true;
};

/** What a source needs to know next time; small, plain JSON. */
export type Checkpoint = {
  /** Which source it belongs to, see `originOf`. */
  origin: string;
  name: string;
  size: number;
  sha256: string;
  mtimeMs: number | null;
  ctimeMs?: number;
  etag?: string;
  lastModified?: string;
  id?: string;
};

/** One feed's part of a dataset. */
export type DatasetPart = { feed: string; run: string; rows: number; outranked: number };

/**
 * What became of one feed's part in an upload. `rejections`: hash and number of its traced rejections, null when it has none;
 * absent where an earlier version drew the account, which kept those of delivered files only.
 */
export type FeedAccount = RowCounts & { rejections?: { sha256: string; total: number } | null };

/** The counts of a file with the lines that are no offers, which earlier versions did not count. */
export type KeptCounts = LocalCounts & { skippedRows?: SkippedRows[] };

/** What each monotonic clock showed at its last look, and how much had been watched by then. */
export type Marks = Readonly<Record<string, { at: number; watched: number }>>;

/** A definite no, with what was listed just before the request: only a newer record can have been in its way. */
export type Refusal = {
  status: number;
  text: string;
  operation?: string;
  retryAfter?: number | null;
  listed?: readonly string[];
  /** Another upload was unfinished or made meanwhile: the no may have been about that. */
  beside?: boolean;
  /** Of refused credentials: it was said that they are. */
  told?: true;
};

/** What the service says of an upload. */
export type ServiceState = {
  state: string;
  linesProcessed: number;
  lastModified: number;
  error: string | null;
  errorFileExists: boolean;
};

/** Facts of an incident for people and scripts. */
export type IncidentNumbers = Record<string, number | string | null>;

/** What a mail is about; it is written when it is sent, from what the ledger holds then. */
export type MailSubject =
  | { of: 'run'; run: string; outcome: Outcome }
  | { of: 'incidents'; phase: 'problem' | 'reminder' | 'affected' | 'recovery'; incidents: string[] }
  | { of: 'day' | 'week' | 'month'; day: string; from: number; to: number };

const text = z.string();
const count = z.number();
const flag = z.boolean();
const texts = z.array(text);

const counts = {
  read: count,
  // Earlier versions made one offer of each row.
  expanded: count.default(0),
  accepted: count,
  rejectedLocally: count,
  duplicates: count,
  // Earlier versions did not count them.
  skipped: count.default(0),
};

const account = {
  ...counts,
  outranked: count,
  contributed: count,
  rejectedRemotely: count,
  live: count,
  unexplained: count,
};

const options: z.ZodType<RunOptions> = z.looseObject({
  force: flag.exactOptional(),
  file: text.exactOptional(),
  approved: flag.exactOptional(),
  approvedAt: count.exactOptional(),
  alone: flag.exactOptional(),
  remapped: flag.exactOptional(),
  reading: z.looseObject({ charset: text, delimiter: text }).exactOptional(),
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

const listed: z.ZodType<ListedFile> = z.looseObject({
  name: text,
  size: count,
  mtimeMs: count.nullable(),
  id: text.exactOptional(),
  shownAt: z.number().exactOptional(),
  inexact: z.literal(true).exactOptional(),
});

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

/** The columns that hold JSON, by table. Each value is decoded and encoded by the ledger's connection (json-plugin.ts). */
export const JSON_COLUMNS: Record<string, Record<string, z.ZodType>> = {
  runs: {
    options,
    checkpoint,
    detection,
    counts: z.looseObject({
      ...counts,
      skippedRows: trusted<SkippedRows[]>(z.array(z.looseObject({ kind: text, rows: count }))).exactOptional(),
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
};

/** A value whose outline is checked; its details are taken as this program wrote them. */
function trusted<T>(outline: z.ZodType): z.ZodType<T> {
  return outline as z.ZodType<T>;
}
