import type { Issue, LiveChange, RecentDelivery, Rejection, RunAnswer, RunEvent } from '../model.ts';
import type { Demand } from '../parts/demand.ts';
import type { Language } from '../wording/language/language.ts';
import type { RunReason } from '../wording/reasons/run-reasons.ts';

/** An issue as reading stored it, with the cells of its row; earlier versions knew of no sheets. */
export type StoredIssue = Omit<Issue, 'sheet'> & { sheet?: string | null; cells?: string[] };

/** A rejection with the uploaded cells of its row. */
export type StoredRejection = Rejection & { cells?: string[] };

/**
 * All that a report is made from. Streams may be read more than once and are never held in memory; `answer` has at most
 * the first 1,000 rejections, the stream has all.
 */
export type ReportInput = {
  answer: RunAnswer;
  /** Why the run ended as it did: a code with its facts, or the sentence of an earlier version. */
  reason: RunReason | string | null;
  /** What people call the supplier. */
  supplier: string;
  /** How the reader is spoken to. */
  language: Language;
  /** How the feed's last deliveries ended, the oldest first; at most 30. */
  strip: RecentDelivery[];
  /** Of a run that is live: what that changed against what was live before; null where nothing was, or it was not compared. */
  change: LiveChange | null;
  events: RunEvent[];
  issues: () => AsyncIterable<StoredIssue>;
  rejections: () => AsyncIterable<StoredRejection>;
  /** What is known of the demand for the feed's parts: rows that people look for most come first. */
  demand: Demand;
  /** What could not be read of the two streams, as far as they were read. */
  unreadable: Set<string>;
  /** The name of the text file that lines are counted in; inside an archive that is not the delivery's. */
  file: string | null;
  /** Names of the cells of issues and of rejections, in their order. Brand and article number are called `brand`, `oem`. */
  columns: { issues: string[]; rejections: string[] };
  /** For the times that people read; IANA name. Default: UTC. */
  timeZone?: string;
};

/** The part that a row names, as far as it does. */
export type Named = { brand: string | null; oem: string | null };

/** Finds the part in the cells of an issue, which are called so. */
export function partNamer(columns: readonly string[]): (issue: StoredIssue) => Named {
  const [brandAt, oemAt] = [columns.indexOf('brand'), columns.indexOf('oem')];
  return ({ cells = [] }) => ({ brand: cells[brandAt] ?? null, oem: cells[oemAt] ?? null });
}
