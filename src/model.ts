/**
 * The nouns of offerline as types, by subject in src/model; nothing else. Times are epoch milliseconds, ids are strings (offer ids are int64 and
 * never become JS numbers), lines count physical lines of the unpacked supplier file from 1, the header included; of a
 * workbook the rows of a sheet.
 */
<<<<<<< HEAD
export type * from './model/detection.ts';
export type * from './model/diff.ts';
export type * from './model/effect.ts';
export type * from './model/issue.ts';
export type * from './model/outcome.ts';
export type * from './model/parts-gone.ts';
export type * from './model/rows.ts';
export type * from './model/run.ts';
export type * from './model/signals.ts';
export type * from './model/upload.ts';
=======

/** How bad a finding is: an `error` costs the row (or the file), a `warning` does not, an `info` says what was done and asks for nothing. */
export type Severity = 'error' | 'warning' | 'info';

/** Something found about a file, a column or a row. */
export type Issue = {
  code: string;
  severity: Severity;
  /** The sheet of a workbook in which it is, else null. */
  sheet: string | null;
  /** Physical line of a text, row of a sheet, or null when the issue is about the whole file. */
  line: number | null;
  column: string | null;
  value: string | null;
  message: string;
};

/** How a delivery is written; its content decides, never its name. */
export type Format = 'text' | 'xlsx' | 'xls' | 'xlsb' | 'dbf' | 'slk' | 'ods' | 'xml' | 'json' | 'html';

/**
 * How a delivery is written, as users see it (`dialect` of the JSON answers). What only a text has is null or false for other
 * formats.
 */
export type Dialect = {
  format: Format;
  /** The sheet of a workbook that was read; null for other formats, and where several were read as one. */
  sheet: string | null;
  /** WHATWG name where one exists, else the IANA name. */
  charset: string | null;
  bom: boolean;
  /** Null for a file of one column. */
  delimiter: string | null;
  quote: string | null;
  newline: string | null;
  header: boolean;
};

/** A table of a file with the line at which its first row stands in the text that is made of the file. */
export type TablePart = { sheet: string | null; line: number };

/** Some rows of a file as one charset and one delimiter show them; line null is further down than lines were counted. */
export type SampleReading = {
  charset: string;
  delimiter: string | null;
  rows: { line: number | null; cells: string[] }[];
};

/** Where a column of the offer file is in a supplier's file. Not `sure`: a proposal that must not be acted on without asking. */
export type ColumnMapping = {
  key: string;
  /** The header cell as written, or null when there is none. */
  column: string | null;
  /** From 1; 0: the headings above its rows have it. */
  position: number;
  sure: boolean;
  /** A sentence without a capital and a full stop. */
  evidence: string;
};

/** Columns that a person accepted for a feed, for files with one header: used for as long as nobody takes them back. */
export type AcceptedColumns = {
  /** Names the header, see `headerFingerprint`. */
  fingerprint: string;
  columns: AcceptedColumn[];
  /** The run that they were accepted with. */
  run: string;
  who: string;
  reason: string;
  at: number;
};

/** A column of the offer file and where a person says it is; `column` is the header cell, null when there is none. */
export type AcceptedColumn = {
  key: string;
  column: string | null;
  position: number;
  /** What its cells looked like then; earlier versions did not record it. */
  look?: ColumnLook;
};

/** What the cells of a column look like: how many values there are, and of how many in a hundred something is true. */
export type ColumnLook = {
  values: number;
  distinct: number;
  /** Known makers of parts, and makers of vehicles alone. */
  makers: number;
  vehicles: number;
  partNumbers: number;
  barcodes: number;
  /** Amounts with two decimals. */
  prices: number;
  /** Texts of several words. */
  phrases: number;
  /** With a letter, and with a digit in them. */
  lettered: number;
  digits: number;
  /** They are the numbers of the rows. */
  isCounter: boolean;
};

/** What brands and numbers of a file show of themselves: words for nothing that are makers here, ways to write numbers that only look damaged. */
export type ValueHabits = { makers: string[]; shapes: string[] };
/** What a program has written around the values of a column, which is no part of them. */
export type ColumnWrap = {
  /** The column, from 1. */
  position: number;
  /** Values begin with an apostrophe, which marks a text in a spreadsheet. */
  apostrophe: boolean;
  /** What was written in place of an apostrophe: a typographic one, or an equals sign. */
  lead?: string | undefined;
  /** Quotes or brackets that stand around each value; quotes may stand around some of them. */
  pair: [open: string, close: string] | null;
  /** What an export of floating-point numbers leaves behind each number: `.0`. */
  decimals: string | null;
};

/** What is written around the values of a file, beside `="…"`, which is known in every file. */
export type Wraps = {
  /** `\N`, `\t`, `\n`, `\"` and `\\` stand for what databases mean by them. */
  backslashes: boolean;
  columns: ColumnWrap[];
};

/** A dialect with the evidence for it: the answer of `detect`. */
export type Detection = Omit<Dialect, 'sheet' | 'charset' | 'newline'> & {
  charset: string;
  newline: string;
  /** Tables other than a text are read as one, see `asText`: where each of its tables begins there. Empty for a text. */
  parts: TablePart[];
  /** False: a guess that must not be acted on without asking. */
  sure: boolean;
  /** 0 to 1. */
  confidence: number;
  escape: string | null;
  /** Blanks stand before the quotes that open cells: `ATE, "disc, front"`. */
  spacedQuotes: boolean;
  /** Each line is quoted as a whole: `"ATE,""disc, front"",1"`. */
  wholeLines: boolean;
  /** What stands around the content of the file and was left out, in sentences. */
  passedOver: string[];
  /** The last line of a text has no end; absent where it has, in other formats, and in runs of earlier versions. */
  openEnd?: boolean;
  /** What is written around values; earlier versions did not look for it. */
  wraps: Wraps;
  /** The names of the columns, those of a header of several rows joined; empty when there is no header. */
  columns: string[];
  /** Physical line of the last header row (or of the first data row when there is no header); 0 above records. Lines above are no offers. */
  headerLine: number;
  /** How many cells most rows have; 0 in runs of earlier versions. */
  width: number;
  /** False: which row is the header, or whether there is one, is a guess. Then `sure` is false as well. */
  headerSure: boolean;
  /** At most one entry for each column of the offer file; none for one that the file lacks. */
  mapping: ColumnMapping[];
  /** What the cells of each column look like; empty where nobody asked what the columns mean. */
  looks: ColumnLook[];
  /** Null in runs of earlier versions, which took every value for what it is. */
  habits: ValueHabits | null;
  /** What stands between several values of one cell; earlier versions did not look for it. */
  marks?: CellMarks;
  /** One plain sentence per observation, most telling first. */
  evidence: string[];
  /** When it is not sure: the best reading and the one that is as good, on the same three rows; else empty. */
  readings: SampleReading[];
};

/** A cell that shows something, and its line where that is known. */
export type ShownCell = { line: number | null; text: string };

/**
 * What stands between several values of one cell. `tags`: the mark between tags, and another one (a blank for none that can be seen) that fits
 * as well, so that a person has to say which it is; null where no cell has one. `numbers`: the marks that part cells into several numbers,
 * those that do not belong to the numbers of the column, and what its numbers look like. `split`: a column whose cells hold the values of two.
 */
export type CellMarks = {
  tags: { separator: string; rival: string | null; example: ShownCell; evidence: string } | null;
  numbers: {
    separators: string[];
    example: ShownCell | null;
    evidence: string;
    watched: string[];
    shapes: string[] | null;
  } | null;
  split: {
    split: 'brand-number' | 'number-name';
    position: number;
    column: string | null;
    example: ShownCell;
    evidence: string;
    brands: string[];
  } | null;
};

/** The columns of a feed's live delivery, to compare those of a new one with, and its run. */
export type EarlierHeader = Pick<Detection, 'columns' | 'width' | 'mapping'> & {
  looks?: ColumnLook[];
  run?: string;
};

/**
 * What became of the rows of one file before anything was sent: read + expanded = accepted + rejectedLocally + duplicates. `expanded`
 * are the offers that rows with several numbers make beyond one each. `skipped` are lines that are no offers; they are not among those
 * that were read.
 */
export type LocalCounts = {
  read: number;
  expanded: number;
  accepted: number;
  rejectedLocally: number;
  duplicates: number;
  skipped: number;
};

/** Why a line of a file is no offer: it stands above the table, or it is blank, a heading or note, a total, the header again. */
export type SkipKind = 'preamble' | 'blank' | 'lone-cell' | 'total' | 'repeated-header';

/** Lines of one kind that are no offers: how many there are, and the first of them. */
export type SkippedRows = {
  kind: SkipKind;
  rows: number;
  examples: { sheet: string | null; line: number; value: string }[];
};

/**
 * The balanced account of one run for its own feed: read + expanded = accepted + rejectedLocally + duplicates;
 * accepted = contributed + outranked; contributed = live + rejectedRemotely + unexplained.
 */
export type RowCounts = LocalCounts & {
  outranked: number;
  contributed: number;
  rejectedRemotely: number;
  live: number;
  unexplained: number;
};

/** What a feed has in the account of one proved upload. `since` is an ISO time, `upload` the service's id. */
export type ProvedRows = { live: number; rejectedRemotely: number; since: string; upload: string | null };

/**
 * What is live of a feed at present, by the newest proved upload of its login. While that is in doubt all is null but the
 * reason, a sentence without a full stop. `proved`: what was proved last, doubt or not; null when nothing ever was.
 */
export type LiveNow = {
  live: number | null;
  rejectedRemotely: number | null;
  since: string | null;
  upload: string | null;
  doubt: string | null;
  proved: ProvedRows | null;
};

/** One file as pulled from a feed's source, kept unchanged in the archive under its SHA-256. */
export type Delivery = { name: string; sha256: string; bytes: number };

/** The outcome of a run; docs/outcomes.md says what each means. */
export type Outcome = 'live' | 'partial' | 'unchanged' | 'nothing' | 'held' | 'rejected' | 'failed';

/**
 * Why a run ended as it did, by its outcome, and why it has none yet (`open`). It is decided where it happens and kept with the
 * run; src/wording says of each what it means and what to do.
 */
export type Causes = {
  open: 'at-work' | 'approved';
  live: 'uploaded';
  partial: 'uploaded';
  unchanged: 'same-file' | 'same-dataset';
  nothing: 'no-file' | 'superseded';
  held: 'guard' | 'older-file' | 'correction' | 'unsure' | 'columns' | 'cells' | 'frozen';
  rejected: 'file-unusable' | 'turned-down';
  failed:
    | 'source-unreachable'
    | 'source-refused'
    | 'source-credentials'
    | 'disk-full'
    | 'fault'
    | 'compose-failed'
    | 'damaged-archive'
    | 'unsent'
    | 'credentials'
    | 'outcome-unknown'
    | 'refused'
    | 'upload-failed'
    | 'upload-aborted'
    | 'failed-together'
    | 'unproved';
};

/** Any of the causes. */
export type Cause = Causes[keyof Causes];

/** Where a run stands while it has no outcome. */
export type Stage = 'pull' | 'read' | 'compose' | 'upload' | 'report' | 'done';

/** The state of one upload attempt in the ledger; docs/ARCHITECTURE.md draws the transitions. */
export type UploadState =
  'intended' | 'sending' | 'unknown' | 'submitted' | 'success' | 'failed' | 'aborted' | 'refused' | 'lost';

/** One check of a receipt. `unavailable`: the service refused the operation, which is not a failure. */
export type ReceiptCheck = { check: string; result: 'ok' | 'failed' | 'unavailable'; detail: string };

/** The proof that a dataset is live. `verified`: no check failed and at least one is ok. */
export type Receipt = { verified: boolean; checks: ReceiptCheck[] };

/** A row of the service's `.errors` file, traced back to the supplier's file and line where that is certain. */
export type Rejection = {
  /** The sheet of a workbook in which the row is, else null. */
  sheet: string | null;
  line: number | null;
  file: string | null;
  code: string | null;
  message: string;
  brand: string | null;
  oem: string | null;
  match: 'exact' | 'ambiguous' | 'none';
  /** Of an ambiguous one: the first rows that fit, and how many do. */
  candidates?: { feed: string; sheet: string | null; line: number }[];
  fits?: number;
};

/** A moment of a run's timeline. */
export type RunEvent = { at: number; stage: Stage; message: string };

/** A row of a dataset whose united tags were too many: what was left out. `sheet` and `line` are those of the feed's file. */
export type CutTags = {
  feed: string;
  sheet: string | null;
  line: number;
  brand: string;
  oem: string;
  dropped: string[];
};

/** What uniting tags came to: rows that got tags of other feeds, rows whose tags were cut, and the first of these. */
export type MergedTags = { rows: number; cut: number; examples: CutTags[] };

/** A row that was added, removed or changed; `cells` are those that changed. `sheet` and `line` are those of the file it stands in. */
export type RowChange = {
  change: 'added' | 'removed' | 'changed';
  oem: string;
  /** Earlier versions kept none. */
  sheet?: string | null;
  line: number;
  cells: { column: string; before: string | null; after: string }[];
};

/** What changes for one brand, with the first rows of each kind. */
export type BrandDiff = {
  brand: string;
  before: number;
  after: number;
  added: number;
  removed: number;
  changed: number;
  examples: RowChange[];
};

/** What would change against what is live: all counts, and the most changed brands. */
export type RowsDiff = Omit<BrandDiff, 'brand' | 'examples'> & { brands: BrandDiff[]; moreBrands: number };

/** What a held run would have changed: in the rows of its feed, or in the whole dataset of its login. */
export type HeldDiff = RowsDiff & { of: 'feed' | 'dataset' };

/** What a run made live against what was live of its feed before. `tags`: tags of parts that stayed. */
export type LiveChange = RowsDiff & { tags: { added: number; removed: number } };

/**
 * Rows that are rejected, or doubtful, for the same reason: a code and a column, or the service's words with their values taken
 * out. `text`: these words; with a code those of its first row. A cause of the whole file has no rows; one without code and text is all
 * the rest.
 */
export type RowCause = {
  code: string | null;
  column: string | null;
  text: string | null;
  by: 'us' | 'service';
  severity: Severity;
  rows: number;
  /** The brands with the most of these rows. */
  brands: { brand: string; rows: number }[];
  moreBrands: number;
  examples: CauseExample[];
};

/** One of the first rows of a cause. */
export type CauseExample = {
  sheet: string | null;
  line: number | null;
  brand: string | null;
  oem: string | null;
  value: string | null;
};

/** How an earlier delivery of a feed ended; `rows`: those that became live, null where none did. */
export type RecentDelivery = {
  run: string;
  at: number;
  outcome: 'live' | 'partial' | 'held' | 'rejected' | 'failed';
  rows: number | null;
};

/** What was uploaded for the whole login. `mergedTags` is null where a part's tags are the winner's alone. */
export type DatasetCounts = {
  rows: number;
  rejectedRemotely: number;
  live: number;
  feeds: Record<string, number>;
  mergedTags: MergedTags | null;
};

/** The upload of a run as users see it. */
export type UploadAnswer = {
  offerId: string | null;
  state: string;
  token: string;
  attempts: number;
  adopted: boolean;
  /** What an upload that is not finished waits for. */
  note?: string;
};

/** A column that is seen and not uploaded, and where it is; `column` is the header cell, null when there is none. */
export type SignalColumn = { column: string | null; position: number };

/** What the cells of such a column say, by rows. `examples`: the first cells that are unreadable. */
export type SignalCells = SignalColumn & { known: number; notGiven: number; unreadable: number; examples: string[] };

/** What was seen of the accepted rows of a delivery beside what is uploaded; null where there is no such column. */
export type SeenSignals = {
  rows: number;
  /** Cells of the column of names in a sample of the rows. */
  names: { rows: number; filled: number } | null;
  /** `currency`: that of most prices; null when their cells name none. */
  price: (SignalCells & { currency: string | null }) | null;
  stock: (SignalCells & { inStock: number }) | null;
};

/** A part whose price or stock shows a finding, as the supplier's file has it. `line` is that of the unpacked file. */
export type SignalExample = {
  sheet: string | null;
  line: number;
  brand: string;
  oem: string;
  before: string | null;
  after: string;
};

/** Something strange about a delivery that is valid. `of`: the parts or rows that `parts` or `rows` are some of. */
export type SignalFinding = { examples: SignalExample[] } & (
  | { code: 'prices-scaled'; factor: number; parts: number; of: number }
  | { code: 'prices-jumped'; ratio: number; parts: number; of: number }
  | { code: 'currency-changed'; before: string; after: string }
  | { code: 'prices-equal'; price: number; parts: number; of: number }
  | { code: 'prices-swapped'; parts: number; of: number }
  | { code: 'prices-unreadable'; rows: number; of: number; cells: string[] }
  | { code: 'stock-zero'; rows: number; before: { rows: number; of: number } | null }
  | { code: 'names-gone'; rows: number; of: number; before: { rows: number; of: number } }
);

/**
 * What was seen of a delivery, compared with the one that was proved before it. `jumped`: parts whose price more than doubled or fell
 * to less than half, of the `compared` ones that have a price in both; `swapped`: parts whose price cell is the number of a part.
 */
export type Signals = {
  seen: SeenSignals;
  /** The run that it was compared with; null when there is none. */
  comparedWith: string | null;
  before: SeenSignals | null;
  compared: number;
  jumped: number;
  swapped: { parts: number; of: number };
  findings: SignalFinding[];
};

/** The answer of `ingest --wait --json` and `show RUN --json`; the single source of every report and mail. */
/** What one thing changed of the parts of a delivery against those that are live; `isNew`: it is there now, else it is gone. */
export type PartsChange =
  | { what: 'ending' | 'beginning'; text: string; isNew: boolean }
  | { what: 'zeros' | 'brand-before'; isNew: boolean }
  | { what: 'letters' | 'marks' | 'swapped' | 'brand' };

/** A part that is live, and what stands in its place in the delivery; null where nothing is known to. */
export type ChangedPart = { before: PartName; after: PartName | null };

/** A part as it is written. */
export type PartName = { brand: string; oem: string };

/** Another feed that parts are of: the share of the delivery's parts, and how many it has itself. */
export type OtherFeed = { feed: string; share: number; parts: number };

/** How many live parts a delivery lacks, of how many (0: nothing of the feed is live); why, as far as one thing explains it. */
export type PartsGone = {
  gone: number;
  of: number;
  /** `parts` of `of` compared new parts are explained by it. */
  change: (PartsChange & { parts: number; of: number }) | null;
  other: OtherFeed | null;
  examples: ChangedPart[];
};

export type RunAnswer = {
  run: string;
  feed: string;
  login: string;
  sandbox: boolean;
  /** Null while the run is still open. */
  outcome: Outcome | null;
  cause: Cause;
  reason: string | null;
  stage: Stage;
  createdAt: number;
  finishedAt: number | null;
  delivery: Delivery | null;
  dialect: Dialect | null;
  /** Which column of the file holds what. */
  mapping: ColumnMapping[];
  /** When the dialect is not sure: what is in question, on the same three rows; else empty. */
  readings: SampleReading[];
  /** The account as it was when the run's upload was settled. */
  rows: RowCounts;
  /** What is live of the run's feed by now, whichever run it comes from. */
  now: LiveNow;
  dataset: DatasetCounts | null;
  upload: UploadAnswer | null;
  receipt: Receipt | null;
  /** What it would have changed, when a guard held it and something was live to compare it with. */
  diff: HeldDiff | null;
  /** Which live parts it lacks, when `guard.maxPartsGone` held it; else null. */
  partsGone: PartsGone | null;
  /** Lines that are no offers, by kind. */
  skipped: SkippedRows[];
  /** Number of local issues by code. */
  issues: Record<string, number>;
  /** What was seen beside what is uploaded; null when nothing is to be seen and nothing is strange. */
  signals: Signals | null;
  rejections: Rejection[];
  rejectionsTotal: number;
  /** When its delivery and rows, and when its reports and rejections were pruned; null while everything is there. */
  pruned: { delivery: number | null; reports: number | null } | null;
  /** What could not be read of its stored issues and rejections: sentences that name file, line and way out. */
  unreadable: string[];
  reports: { html: string; csv: string; json: string } | null;
};

/** A row that the service rejects, and whose it is. */
export type FeedRejection = Rejection & { feed: string };

/** What a decision would do to the rows of one feed: live ones before and after it. `run`: where those after it come from. */
export type EffectOnFeed = {
  feed: string;
  run: string | null;
  /** Null when nothing was live. */
  before: number | null;
  after: number;
  rejected: number;
};

/** What a decision that was rehearsed would do to what is live of its login. */
export type RehearsedEffect = {
  /** All of it in a few plain sentences. */
  sentence: string;
  /** Live rows of the login; `before` is null when nothing is live. */
  live: { before: number | null; after: number | null };
  /** By feed; empty when nothing would be uploaded. */
  feeds: EffectOnFeed[];
  /** What would be sent against what was sent last; null when one of the two is not there. */
  change: HeldDiff | null;
  /** What a service like the sandbox rejects, with the first rows of each feed. */
  rejected: { rows: number; examples: FeedRejection[] };
  /** What the guards of the whole dataset say of it; they do not stop what a person decided. */
  guards: { guard: string; sentence: string }[];
  /** Why the run was held: what an approval would overrule; null for other decisions. */
  lifts: string | null;
  /** Feeds that would be frozen by it. */
  freezes: string[];
};
>>>>>>> 58523650 (Split the operations page by what its reader wants to do)
