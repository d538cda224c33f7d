import { wordsOf } from './causes.ts';
import type {
  ChangeCounts,
  CountedRows,
  FileCounts,
  JoinedFile,
  JoinedRow,
  RowCounts,
  RunAnswer,
  SkipKind,
  SkippedRows,
} from '../model.ts';
import { placeWords } from './files/place.ts';
import { shortened } from './printable.ts';
import { counted, grouped, leftOutInWords, readInWords } from './words.ts';

/** The counts of a file of which nothing was read yet, new ones each time: readers count in them. */
export function nothingRead(): CountedRows {
  return { read: 0, expanded: 0, accepted: 0, rejectedLocally: 0, duplicates: 0, leftOut: 0, skipped: 0 };
}

/** The account of a run of whose rows nothing is known. */
export function emptyAccount(): RowCounts {
  return { ...nothingRead(), outranked: 0, contributed: 0, rejectedRemotely: 0, live: 0, unexplained: 0 };
}

/** Where a row can end. */
export type Fate =
  'live' | 'rejected-here' | 'duplicate' | 'left-out' | 'outranked' | 'rejected-there' | 'unexplained' | 'undecided';

/** What a line of the account counts, and what it is called in English. */
const LABELS = {
  read: 'Rows read',
  expanded: 'more offers, of rows with several numbers',
  carried: 'as they were before the changes',
  rejectedHere: 'rejected here',
  duplicates: 'duplicates',
  leftOut: 'left out by rules',
  takenOut: 'left out or removed',
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
    { ...sum('carried', rows.change?.carried ?? 0), kind: 'gain' as const },
    loss('rejectedHere', 'rejected-here', rows.rejectedLocally),
    loss('duplicates', 'duplicate', rows.duplicates),
    loss(rows.change === undefined ? 'leftOut' : 'takenOut', 'left-out', rows.leftOut),
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

/** What a delivery of changes did to the rows before it: `3 added, 5 changed, 2 removed, 0 the same; 1,204 rows before`. */
export function changeText({ base, added, changed, same, removed, absent }: ChangeCounts): string {
  const missing = absent === 0 ? '' : `, ${grouped(absent)} to remove that ${absent === 1 ? 'was' : 'were'} not there`;
  const done = [`${grouped(added)} added`, `${grouped(changed)} changed`, `${grouped(removed)} removed`];
  return `${done.join(', ')}, ${grouped(same)} the same${missing}; ${counted(base, 'row')} before`;
}

/** What was read of each file of a delivery of several: `ate.csv: 12 read = 10 accepted + 1 rejected + 1 duplicate`. */
export function fileLines(files: FileCounts[] = []): string[] {
  return files.map((counts) => {
    const { file, accepted, rejectedLocally, duplicates } = counts;
    const losses = `${grouped(rejectedLocally)} rejected here + ${counted(duplicates, 'duplicate')}`;
    return `${file}: ${readInWords(counts)} = ${grouped(accepted)} accepted + ${losses}${leftOutInWords(counts)}`;
  });
}

/** What came of each file that was joined to the list: what it brought, and which rows of either have none in the other. */
export function joinedLines(joined: JoinedFile[] = []): string[] {
  return joined.flatMap((one) => {
    const { file, columns, rows, unusable, repeated, examples } = one;
    const beside = [
      ...(unusable === 0 ? [] : [`${grouped(unusable)} without a number`]),
      ...(repeated === 0
        ? []
        : [`${grouped(repeated)} repeated, of which the first counts${rowsInWords(examples.repeated)}`]),
    ];
    const losses = beside.length === 0 ? '' : ` (${beside.join(', ')})`;
    return [
      `${file}: ${counted(rows, 'row')}${losses} brought ${columns.join(', ')} to ${counted(one.joined, 'row')} of the list`,
      ...(one.withoutPartner === 0
        ? []
        : [`${file}: lacks ${counted(one.withoutPartner, 'row')} of the list${rowsInWords(examples.withoutPartner)}`]),
      ...(one.withoutRow === 0
        ? []
        : [`${file}: has ${counted(one.withoutRow, 'part')} that the list lacks${rowsInWords(examples.withoutRow)}`]),
    ];
  });
}

/** The first rows, with their places: `, such as ATE 13.0460 (line 12)`. */
function rowsInWords(rows: JoinedRow[]): string {
  const shown = rows.map(({ part, sheet, line }) => `${shortened(part, LONGEST)} (${placeWords({ sheet, line })})`);
  return shown.length === 0 ? '' : `, such as ${shown.join(', ')}`;
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
    .map(({ file, sheet, line, value }) => `${placeWords({ file, sheet, line })} [${shortened(value, LONGEST)}]`)
    .join(', ');
}
