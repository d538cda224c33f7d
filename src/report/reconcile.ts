import { OfferlineError } from '../errors.ts';
import type { LocalCounts, RowCounts } from '../model.ts';

/** What is known of a feed's rows when its upload has ended, or when there will be none. */
export type ReconcileInput = {
  local: LocalCounts;
  /** Rows that another feed won. */
  outranked: number;
  /** Rows of this feed that the `.errors` file names for certain, each counted once however many errors it has. */
  rejectedRemotely: number;
  /** `other`: failed, aborted, refused, unknown, or nothing was sent. */
  finished: 'success' | 'other';
  /** Rejections that may concern this feed but match no row, or several. */
  untraced: number;
  /** False: the service announced an error file that could not be fetched. */
  errorsKnown: boolean;
  /** The whole dataset: rows sent without the header; lines that the service says it processed, null when not shown. */
  lines: { sent: number; processed: number | null };
};

/**
 * The balanced account of a feed's rows; no row is claimed to be live that may not be:
 * read + expanded (+ carried, of changes) = accepted + rejectedLocally + duplicates + leftOut; accepted = contributed + outranked;
 * contributed = live + rejectedRemotely + unexplained. Skipped lines are outside of it.
 *
 * `unexplained` are contributed rows of which nothing is known for certain. After a success: as many as there are untraced
 * rejections, and as many as `processed` differs from `sent` (the header may or may not be counted), uncertain for every
 * feed since any may be meant; all of them when the error file is missing. Without a success: every row that is not rejected.
 *
 * Counts are whole numbers from 0. Contradictory numbers are an error in offerline and throw `internal`.
 */
export function reconcile(input: ReconcileInput): RowCounts {
  const { outranked, rejectedRemotely } = input;
  const { read, expanded, accepted, rejectedLocally, duplicates, leftOut, skipped, change } = input.local;
  const local = { read, expanded, accepted, rejectedLocally, duplicates, leftOut, skipped };
  const contributed = local.accepted - outranked;
  const undecided = contributed - rejectedRemotely;
  const balanced = read + expanded + (change?.carried ?? 0) === accepted + rejectedLocally + duplicates + leftOut;
  const counts = [...Object.values(local), outranked, rejectedRemotely, input.untraced, contributed, undecided];
  if (!balanced || counts.some((count) => !Number.isSafeInteger(count) || count < 0)) {
    throw new OfferlineError('internal', 'The row counts of a run contradict each other.', { details: { ...input } });
  }
  const unexplained = Math.min(undecided, doubtful(input));
  const changed = change === undefined ? {} : { change };
  return { ...local, ...changed, outranked, contributed, rejectedRemotely, live: undecided - unexplained, unexplained };
}

function doubtful({ finished, errorsKnown, untraced, lines }: ReconcileInput): number {
  if (finished !== 'success' || !errorsKnown) return Infinity;
  return untraced + strayLines(lines);
}

function strayLines({ sent, processed }: ReconcileInput['lines']): number {
  if (processed === null) return 0;
  return Math.min(Math.abs(processed - sent), Math.abs(processed - sent - 1));
}

/**
 * The outcome of a run whose upload succeeded. `partial`: rows were rejected here or by the service, or are unexplained;
 * duplicates and outranked rows never make it partial.
 */
export function outcomeOf(rows: RowCounts): 'live' | 'partial' {
  return rows.rejectedLocally + rows.rejectedRemotely + rows.unexplained === 0 ? 'live' : 'partial';
}
