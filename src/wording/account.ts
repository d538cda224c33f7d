import { wordsOf } from './causes.ts';
import type { RunAnswer, SkipKind, SkippedRows } from '../model.ts';
import { placeWords } from './files/place.ts';
import { shortened } from './printable.ts';
import { counted } from './words.ts';

/** Where a row can end. */
export type Fate =
  'live' | 'rejected-here' | 'duplicate' | 'left-out' | 'outranked' | 'rejected-there' | 'unexplained' | 'undecided';

/** What a line of the account counts, and what it is called in English. */
const LABELS = {
  read: 'Rows read',
  expanded: 'more offers, of rows with several numbers',
  rejectedHere: 'rejected here',
  duplicates: 'duplicates',
  leftOut: 'left out by rules',
  accepted: 'Accepted',
  outranked: 'outranked by another feed',
  contributed: 'Contributed',
  rejectedThere: 'rejected by the service',
  unexplained: 'unexplained',
  notSent: 'not sent',
  unconfirmed: 'not verified live',
  live: 'Live',
  liveOfFile: 'Live from this file',
  liveConfirmed: 'Verified live from this file',
};

type LineName = keyof typeof LABELS;

/** A line of the account: a sum, or what was gained or lost between two sums. */
export type AccountLine = {
  name: LineName;
  label: string;
  count: number;
  fate: Fate | null;
  kind: 'sum' | 'gain' | 'loss';
};

/**
 * The account of a run's rows as people read it, from those that were read to those that are live; every step adds up.
 * Gains and losses of zero rows are left out, and a run that read nothing has no account.
 */
export function accountLines(answer: RunAnswer): AccountLine[] {
  const { rows, upload } = answer;
  if (rows.read === 0) return [];
  const unproved = unprovedRows(answer);
  const lines = [
    sum('read', rows.read),
    { ...sum('expanded', rows.expanded), kind: 'gain' as const },
    loss('rejectedHere', 'rejected-here', rows.rejectedLocally),
    loss('duplicates', 'duplicate', rows.duplicates),
    loss('leftOut', 'left-out', rows.leftOut),
    sum('accepted', rows.accepted),
    loss('outranked', 'outranked', rows.outranked),
    ...(upload === null ? [] : [sum('contributed', rows.accepted - rows.outranked)]),
    loss('rejectedThere', 'rejected-there', rows.rejectedRemotely),
    loss(unproved.name, unproved.fate, unproved.count),
    sum(liveName(answer), rows.live, 'live'),
  ];
  return lines.filter(({ kind, count }) => kind === 'sum' || count > 0);
}

/** A run that made nothing live says that its own rows are not live: what was live before may still be. */
function liveName({ outcome, cause }: RunAnswer): LineName {
  if (outcome === 'live' || outcome === 'partial' || outcome === 'unchanged') return 'live';
  return wordsOf(outcome, cause).stays ? 'liveOfFile' : 'liveConfirmed';
}

/** The rows that could be live but are not verified; they are alarming only when the upload succeeded. */
export function unprovedRows({
  rows,
  outcome,
  upload,
}: RunAnswer): Omit<AccountLine, 'kind' | 'fate'> & { fate: Fate } {
  const count = rows.accepted - rows.outranked - rows.rejectedRemotely - rows.live;
  const isUploaded = outcome === 'live' || outcome === 'partial';
  const name = isUploaded ? 'unexplained' : upload === null ? 'notSent' : 'unconfirmed';
  return { name, label: LABELS[name], fate: isUploaded ? 'unexplained' : 'undecided', count };
}

function sum(name: LineName, count: number, fate: Fate | null = null): AccountLine {
  return { name, label: LABELS[name], count, fate, kind: 'sum' };
}

function loss(name: LineName, fate: Fate, count: number): AccountLine {
  return { name, label: LABELS[name], count, fate, kind: 'loss' };
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

/** What a line that is no offer is. */
export function skippedKind(kind: SkipKind): string {
  return NAMES[kind][0];
}

/** The first lines of a kind; of blank ones there is nothing to show. */
function examplesOf({ kind, examples }: SkippedRows): string {
  if (kind === 'blank') return '';
  return examples
    .slice(0, SHOWN)
    .map(({ sheet, line, value }) => `${placeWords({ sheet, line })} [${shortened(value, LONGEST)}]`)
    .join(', ');
}
