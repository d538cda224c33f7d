import type { ColumnMapping, Dialect, SampleReading } from './detection.ts';
import type { HeldDiff } from './diff.ts';
import type { FoundCounts } from './findability.ts';
import type { JoinedFile } from './joined.ts';
import type { Cause, Outcome, Stage } from './outcome.ts';
import type { LeftOutBy } from './rules.ts';
import type { PartsGone } from './parts-gone.ts';
import type { DecisionRequest } from './request.ts';
import type { DatasetCounts, FileCounts, LiveNow, RowCounts, SkippedRows } from './rows.ts';
import type { Signals } from './signals.ts';
import type { Receipt, Rejection, UploadAnswer } from './upload.ts';

/** One file as pulled from a feed's source, kept unchanged in the archive under its SHA-256. */
export type Delivery = { name: string; sha256: string; bytes: number };

/** A moment of a run's timeline. */
export type RunEvent = { at: number; stage: Stage; message: string };

/** How an earlier delivery of a feed ended; `rows`: those that became live, null where none did. */
export type RecentDelivery = {
  run: string;
  at: number;
  outcome: 'live' | 'partial' | 'held' | 'rejected' | 'failed';
  rows: number | null;
};

/** The answer of `ingest --wait --json` and `show RUN --json`; the single source of every report and mail. */
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
  /** What was read of each file of a delivery of several; absent for one file. */
  files?: FileCounts[];
  /** What came of each file that was joined to the list; absent where none was. */
  joined?: JoinedFile[];
  /** What is live of the run's feed by now, whichever run it comes from. */
  now: LiveNow;
  /** What the search answered last about the feed's live parts; null when it was never asked, or nothing of the feed was live. */
  found: FoundCounts | null;
  dataset: DatasetCounts | null;
  upload: UploadAnswer | null;
  receipt: Receipt | null;
  /** The newest request to approve it, which a second person has to agree to; absent where nobody asked. */
  request?: DecisionRequest;
  /** What it would have changed, when a guard held it and something was live to compare it with. */
  diff: HeldDiff | null;
  /** Which live parts it lacks, when `guard.maxPartsGone` held it; else null. */
  partsGone: PartsGone | null;
  /** Lines that are no offers, by kind. */
  skipped: SkippedRows[];
  /** Rows that rules left out, by rule. */
  leftOut: LeftOutBy[];
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
