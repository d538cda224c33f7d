import { wordsOf } from './causes.ts';
import type { RunAnswer, SkipKind, SkippedRows } from '../model.ts';
import { placeWords } from './files/place.ts';
import { counted } from './words.ts';

/** Where a row can end. */
export type Fate =
  'live' | 'rejected-here' | 'duplicate' | 'outranked' | 'rejected-there' | 'unexplained' | 'undecided';

/** A line of the account: a sum, or what was lost between two sums. */
export type AccountLine = { label: string; count: number; fate: Fate | null; kind: 'sum' | 'loss' };

/**
 * The account of a run's rows as people read it, from those that were read to those that are live; every step adds up.
 * Losses of zero rows are left out, and a run that read nothing has no account.
 */
export function accountLines(answer: RunAnswer): AccountLine[] {
  const { rows, upload } = answer;
  if (rows.read === 0) return [];
  const unproved = unprovedRows(answer);
  const lines = [
    sum('Rows read', rows.read),
    loss('rejected here', 'rejected-here', rows.rejectedLocally),
    loss('duplicates', 'duplicate', rows.duplicates),
    sum('Accepted', rows.accepted),
    loss('outranked by another feed', 'outranked', rows.outranked),
    ...(upload === null ? [] : [sum('Contributed', rows.accepted - rows.outranked)]),
    loss('rejected by the service', 'rejected-there', rows.rejectedRemotely),
    loss(unproved.label, unproved.fate, unproved.count),
    sum(liveLabel(answer), rows.live, 'live'),
  ];
  return lines.filter(({ kind, count }) => kind === 'sum' || count > 0);
}

/** A run that made nothing live says that its own rows are not live: what was live before may still be. */
function liveLabel({ outcome, cause }: RunAnswer): string {
  if (outcome === 'live' || outcome === 'partial' || outcome === 'unchanged') return 'Live';
  return wordsOf(outcome, cause).stays ? 'Live from this file' : 'Verified live from this file';
}

/** The rows that could be live but are not verified; they are alarming only when the upload succeeded. */
export function unprovedRows({ rows, outcome, upload }: RunAnswer): { label: string; fate: Fate; count: number } {
  const count = rows.accepted - rows.outranked - rows.rejectedRemotely - rows.live;
  if (outcome === 'live' || outcome === 'partial') return { label: 'unexplained', fate: 'unexplained', count };
  return { label: upload === null ? 'not sent' : 'not verified live', fate: 'undecided', count };
}

function sum(label: string, count: number, fate: Fate | null = null): AccountLine {
  return { label, count, fate, kind: 'sum' };
}

function loss(label: string, fate: Fate, count: number): AccountLine {
  return { label, count, fate, kind: 'loss' };
}

/** What lines that are no offers are, one and several of them. */
const NAMES: Record<SkipKind, [string, string]> = {
  preamble: ['line above the table', 'lines above the table'],
  blank: ['blank line', 'blank lines'],
  'lone-cell': ['heading or note', 'headings and notes'],
  total: ['total or footer', 'totals and footers'],
  'repeated-header': ['repeated header', 'repeated headers'],
};
const SHOWN = 3;
const LONGEST = 60;

/** The kinds of skipped lines with their first examples: `12 headings and notes, such as line 4 [Brakes]`. */
export function skippedLines(skipped: SkippedRows[]): string[] {
  return skipped.map((kind) => {
    const found = examplesOf(kind);
    return `${skippedCount(kind)}${found === '' ? '' : `, such as ${found}`}`;
  });
}

/** How many lines of a kind were skipped. */
function skippedCount({ kind, rows }: SkippedRows): string {
  const [one, several] = NAMES[kind];
  return counted(rows, one, several);
}

/** The first lines of a kind; of blank ones there is nothing to show. */
function examplesOf({ kind, examples }: SkippedRows): string {
  if (kind === 'blank') return '';
  return examples
    .slice(0, SHOWN)
    .map(
      ({ sheet, line, value }) =>
        `${placeWords({ sheet, line })} [${value.length > LONGEST ? `${value.slice(0, LONGEST).toWellFormed()}…` : value}]`,
    )
    .join(', ');
}
