import type { SupplierLine } from '../archive/supplier-lines.ts';
import type { RowCounts, Severity } from '../../model.ts';

/** The numbers of a run's account that can be opened. */
export const GROUPS = [
  'read',
  'accepted',
  'rejectedLocally',
  'duplicates',
  'leftOut',
  'outranked',
  'contributed',
  'live',
  'rejectedRemotely',
  'unexplained',
  'skipped',
] as const satisfies (keyof RowCounts)[];

/** A number of a run's account. */
export type RowGroup = (typeof GROUPS)[number];

/**
 * What became of a row. `contributed`: it was uploaded, and some rows of the upload cannot be told apart from those that were rejected;
 * `accepted`: whether another feed won its part is not known any more.
 */
export type RowVerdict =
  | 'live'
  | 'contributed'
  | 'accepted'
  | 'outranked'
  | 'rejectedRemotely'
  | 'unexplained'
  | 'rejectedLocally'
  | 'duplicate'
  | 'leftOut'
  | 'skipped';

/** Why a row is not live, or what was remarked about it: an issue of ours, or the service's words. */
export type RowReason = {
  by: 'us' | 'service';
  code: string | null;
  severity: Severity;
  column: string | null;
  value: string | null;
  message: string;
};

/** A row of a feed's file; `ofFiles`: the file is one of several that its delivery has. */
export type RowPlace = {
  feed: string;
  file: string | null;
  ofFiles?: true | undefined;
  sheet: string | null;
  line: number;
};

/** A row of a run. */
export type RunRowFacts = {
  /** Null of a rejection by the service that fits no row, or several. */
  line: number | null;
  sheet: string | null;
  file: string | null;
  /** The file is one of several that the delivery has. */
  ofFiles?: true | undefined;
  key: { brand: string; oem: string };
  /** Its cells by column: normalised where it was accepted, else as written. */
  cells: Record<string, string>;
  verdict: RowVerdict;
  reasons: RowReason[];
  /** The row that has the part instead, where that is known. */
  winner: RowPlace | null;
  supplierLine: SupplierLine | null;
};

/** A page of the rows behind a number of a run's account. */
export type RunRows = {
  run: string;
  feed: string;
  group: RowGroup;
  /** The account's number. */
  total: number;
  /** Rows that can be listed and fit the search: what is paged. */
  matches: number;
  page: number;
  size: number;
  rows: RunRowFacts[];
  /** The names of the cells in the supplier's lines, and why there are none; null where there are. */
  supplierLines: { names: string[]; missing: string | null };
  /** What is not known of these rows, and why: sentences. */
  notes: string[];
};

/** A row that was found, before it is said what is known of it; `line` is that of the text that the file was read as. */
export type FoundRow = {
  line: number | null;
  verdict: RowVerdict;
  /** Its accepted or uploaded cells; null where only its issues have them. */
  cells: string[] | null;
  /** Which of the numbers of its cell was not accepted; null where it is the row. */
  number?: string | null;
  /** What was found with it. */
  reasons?: RowReason[];
  supplierLine?: SupplierLine;
};

/** A page of what was found, and how many rows there are in all. */
export type FoundRows = { rows: FoundRow[]; matches: number };
