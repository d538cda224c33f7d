import type {
  Cause,
  FileCounts,
  JoinedFile,
  LocalCounts,
  Outcome,
  RowCounts,
  RuleAccount,
  SkippedRows,
} from '../../model.ts';

/* The values of the columns that hold JSON; json-columns.ts says what must be true of one that is read. */

/** What was asked of a run, and what was decided about it on its way. */
export type RunOptions = {
  /** Ignores `unchanged`. */
  force?: boolean;
  /** A file given by hand instead of the feed's source. */
  file?: string;
  /** On which machine that is, and what it was then; runs of earlier versions have none. */
  given?: { host: string; bytes: number; modifiedAt: number };
  /** A person released it: no guard looks at it. */
  approved?: boolean;
  /** When, in epoch milliseconds. */
  approvedAt?: number;
  /** The service failed a dataset that its candidate was in together with others: it is uploaded alone. */
  alone?: boolean;
  /** A person released its changes, and they are put upon the newest rows before that counts. */
  putAgain?: boolean;
  /** A person accepted columns or took a reading for it, and it was read again: a newer delivery goes first. */
  remapped?: boolean;
  /** A person said which of its readings is right, for this file only. */
  reading?: { charset: string; delimiter: string };
  /** The same of files that are joined to it, by what the configuration calls them. */
  partnerReadings?: { partner: string; charset: string; delimiter: string }[];
  /** Its delivery was damaged before it was read, and pulled once more. */
  pulledAgain?: boolean;
  /** The files of its delivery, as their place listed them, where some are joined to others; runs of earlier versions have none. */
  files?: ListedFile[];
  /** Its delivery is not complete: how often it was looked at, until when it is left alone, and what is missing. */
  waiting?: { looks: number; until: number; missing: string[] };
  /** Changes that it left at its place for runs after it; 0 once one of these has begun. Absent where it did not look, or where no changes are taken. */
  waitingChanges?: number;
  /** What was said of files at its place; absent where nothing was. */
  remarks?: string[];
  /** The run after which it takes the next changes. */
  follows?: string;
  /** Someone waits: the lane does not coalesce. */
  wait?: boolean;
  /** It takes changes after a run for which someone waits, who hears of these as well: the lane does not coalesce. */
  inTurn?: boolean;
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
  /** Epoch milliseconds by a clock whose zone is not known, where there is no better time: it orders files, and tells their day. */
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
export type KeptCounts = LocalCounts & {
  skippedRows?: SkippedRows[];
  rules?: RuleAccount;
  files?: FileCounts[];
  joined?: JoinedFile[];
};

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
