import type { Severity } from './issue.ts';

/**
 * What a delivery of changes made of the rows before it: `base` rows, of which it `removed` some, `changed` some, has some the `same`, and
 * leaves those that are `carried` as they were; `added` rows are new. `absent`: rows that remove parts which were not there.
 */
export type ChangeCounts = {
  base: number;
  carried: number;
  added: number;
  changed: number;
  same: number;
  removed: number;
  absent: number;
};

/**
 * What became of the rows of one file before anything was sent: read + expanded = accepted + rejectedLocally + duplicates + leftOut. `expanded`
 * are the offers that rows with several numbers make beyond one each. `skipped` are lines that are no offers; they are not among those
 * that were read. `leftOut` are rows that rules keep from the dataset, and those that remove parts.
 */
export type CountedRows = {
  read: number;
  expanded: number;
  accepted: number;
  rejectedLocally: number;
  duplicates: number;
  leftOut: number;
  skipped: number;
};

/**
 * The same with what changes made of the rows before them: then the accepted rows are all that result, and
 * read + expanded + carried = accepted + rejectedLocally + duplicates + leftOut.
 */
export type LocalCounts = CountedRows & { change?: ChangeCounts | undefined };

/** The counts of one of several files that are read as one list, by its name. */
export type FileCounts = CountedRows & { file: string };

/** Why a line of a file is no offer: it stands above the table, or it is blank, a heading or note, a total, the header again. */
export type SkipKind = 'preamble' | 'blank' | 'lone-cell' | 'total' | 'repeated-header';

/** Lines of one kind that are no offers: how many there are, and the first of them. */
export type SkippedRows = {
  kind: SkipKind;
  rows: number;
  examples: { file?: string | undefined; sheet: string | null; line: number; value: string }[];
};

/**
 * The balanced account of one run for its own feed: read + expanded = accepted + rejectedLocally + duplicates + leftOut;
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

/** A row of a dataset whose united tags were too many: what was left out. `sheet` and `line` are those of the feed's file. */
export type CutTags = {
  feed: string;
  file?: string | undefined;
  sheet: string | null;
  line: number;
  brand: string;
  oem: string;
  dropped: string[];
};

/** What uniting tags came to: rows that got tags of other feeds, rows whose tags were cut, and the first of these. */
export type MergedTags = { rows: number; cut: number; examples: CutTags[] };

/** What was uploaded for the whole login. `mergedTags` is null where a part's tags are the winner's alone. */
export type DatasetCounts = {
  rows: number;
  rejectedRemotely: number;
  live: number;
  feeds: Record<string, number>;
  mergedTags: MergedTags | null;
};

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

/** One of the first rows of a cause, those in most demand first. */
export type CauseExample = {
  file?: string | undefined;
  sheet: string | null;
  line: number | null;
  brand: string | null;
  oem: string | null;
  value: string | null;
  /** 1 to 4, a lower one is in more demand; not there where it is not known. */
  demand?: number;
};
