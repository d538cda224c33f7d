import type { ExaminedRow } from './examined-rows.ts';
import { continuesHeader, type Block } from './header-block.ts';

/** A row that may be the header. */
export type Candidate = { at: number; score: number };

/** A row of known names outweighs rows above it that look like data: an introduction may be a table too. */
const DATA_ABOVE = 3;
const MOST_DATA_ABOVE = 2;
const MOST_FULL_ABOVE = 3;
/** Of so many rows below the first one of the data, half are data too; the others are headings of groups. */
const ROWS_TO_FOLLOW = 4;
/** Among so many rows, so many times headings stand between two of them. */
const LEAST_GAPS = 2;
const LEAST_KNOWN = 2;
const PLENTY_KNOWN = 3;
/** So many times as many cells differ from the columns below as are like them: warehouses are called by numbers. */
const LEAST_UNLIKE = 2;
/** Another row with this share of the best one's score could be the header as well. */
const RIVAL = 0.8;
/** What counts for a header: a known name more than a cell that differs from its column. */
const WHOLE = 2;
const WORD = 1;
const ODD = -2;
const FILLED = 2;
const NEXT_TO_DATA = 1.5;
const COMPLETE = 1_000;

/** A row that looks like the columns below it, more than it looks like a header. */
export function isData(row: ExaminedRow): boolean {
  const { isFull, isNumbering, alike, unlike, odd, whole, words } = row;
  if (isNumbering) return false;
  return isFull ? alike >= 1 && alike > unlike + odd + whole + words / 2 : isSparseData(row);
}

/** Where the data begin: at a row that looks like them, and is followed by more of them; -1 when there is none. */
export function findFirstData(rows: ExaminedRow[]): number {
  const begins = rows.findIndex((row, at) => isData(row) && isMostlyData(rowsToFollow(rows, at)));
  return begins === -1 ? rows.findIndex(isData) : begins;
}

function isMostlyData(rows: ExaminedRow[]): boolean {
  return rows.filter(isData).length * 2 >= rows.length;
}

/** The rows below a row; without headings of groups where they come again and again, as lines of an introduction do not. */
function rowsToFollow(rows: ExaminedRow[], at: number): ExaminedRow[] {
  const below = [...rows.keys()]
    .slice(at + 1)
    .filter((one) => rows[one]!.filled > 1)
    .slice(0, ROWS_TO_FOLLOW);
  const gaps = below.filter((one, index) => one > (below[index - 1] ?? at) + 1).length;
  return gaps >= LEAST_GAPS ? below.map((one) => rows[one]!) : rows.slice(at + 1, at + 1 + ROWS_TO_FOLLOW);
}

/** A row with gaps that fits the columns nevertheless: two cells that do are no accident when hardly one does not. */
function isSparseData({ alike, unlike, odd, whole }: ExaminedRow): boolean {
  return alike >= 2 && alike > 2 * (unlike + odd + whole);
}

/**
 * The rows that may be the header, the best first; among equals the first, since headers may come again on each page. A row that
 * names all columns that are needed goes before all others.
 */
export function rankCandidates(rows: ExaminedRow[], firstData: number): Candidate[] {
  return rows
    .flatMap((row, at) => {
      const isNamed = hasNames(rows, at, firstData);
      if (!row.isFull || row.isNumbering || isData(row) || !(isNamed || isAboveData(rows, at, firstData))) return [];
      return [{ at, score: scoreOf(rows, at, firstData) + (row.isComplete ? COMPLETE : 0) }];
    })
    .sort((a, b) => b.score - a.score || a.at - b.at);
}

/**
 * Two known names make a header, wherever it is; fewer do not, since a brand may be called "Stock" too, nor do words of names,
 * which are in texts as well, below another full row. Among rows as full as itself a row of known words is one of the data.
 */
function hasNames(rows: ExaminedRow[], at: number, firstData: number): boolean {
  const { filled, odd, whole, isNaming } = rows[at]!;
  const known = knownIn(rows[at]!);
  if (known < LEAST_KNOWN || odd * 2 > known) return false;
  const fullAbove = rows.slice(0, at).filter(({ isFull }) => isFull);
  const isVague = whole < LEAST_KNOWN && !isNaming;
  if (isVague && fullAbove.length > 0 && !isNextToData(rows, at, firstData)) return false;
  const alikeAbove = fullAbove.filter((other) => other.filled >= filled && other.unlike <= other.alike);
  return alikeAbove.length <= DATA_ABOVE * (known - 1);
}

function knownIn({ whole, words }: ExaminedRow): number {
  return whole + words / 2;
}

/** Directly above the data stands the header, if it differs from them or has a name or two. */
function isAboveData(rows: ExaminedRow[], at: number, firstData: number): boolean {
  const { odd, alike, unlike, cells, filled } = rows[at]!;
  const texts = cells.filter((cell) => cell !== '');
  if (odd > 0 || alike * LEAST_UNLIKE > unlike || new Set(texts).size < texts.length) return false;
  const isHalfKnown = knownIn(rows[at]!) * 2 >= filled;
  if (firstData === -1) return isHalfKnown && rows.findIndex(({ isFull }) => isFull) === at;
  return (unlike >= 1 || isHalfKnown) && isNextToData(rows, at, firstData);
}

/** Between the header and the data are at most headings of groups, and further rows of the header. */
function isNextToData(rows: ExaminedRow[], at: number, firstData: number): boolean {
  return (
    firstData > at &&
    rows.slice(at + 1, firstData).every((row) => continuesHeader(row) || (!row.isFull && row.odd === 0))
  );
}

function scoreOf(rows: ExaminedRow[], at: number, firstData: number): number {
  const { whole, words, odd, filled, unlike, alike } = rows[at]!;
  const most = Math.max(...rows.map((row) => row.filled));
  const isLast = isNextToData(rows, at, firstData) && !rows.slice(at + 1, firstData).some(({ isFull }) => isFull);
  const names = whole * WHOLE + words * WORD + odd * ODD;
  return names + unlike - alike + (FILLED * filled) / most + (isLast ? NEXT_TO_DATA : 0);
}

/** Another row that could be the header: not one of its own rows, and not the same header on the next page. */
export function isRival(rows: ExaminedRow[], { start, end }: Block, best: Candidate, other: Candidate): boolean {
  const isSame = rows[other.at]!.cells.join('\n') === rows[best.at]!.cells.join('\n');
  return !isSame && (other.at < start || other.at > end) && other.score >= best.score * RIVAL;
}

/**
 * Known names are a header when hardly anything that looks like data is above them. Without them, a row that differs from the
 * data is one when those above it differ as well, so that none of them can be data.
 */
export function isSure(rows: ExaminedRow[], { start, end }: Block, { at }: Candidate, firstData: number): boolean {
  const { whole, alike, unlike } = rows[at]!;
  const above = rows.slice(0, start);
  const dataAbove = above.filter(isData).length;
  if (dataAbove > 0) return knownIn(rows[at]!) >= PLENTY_KNOWN && dataAbove <= MOST_DATA_ABOVE;
  if (whole >= PLENTY_KNOWN) return true;
  // `Currency;EUR` has two names, but stands above other lines of an introduction.
  if (rows.slice(end + 1, Math.max(end + 1, firstData)).some(isIntroduction)) return false;
  if (whole >= LEAST_KNOWN) return above.filter(({ isFull, odd }) => isFull && odd === 0).length <= MOST_FULL_ABOVE;
  return unlike >= 1 && alike < unlike && !above.some(mayBeData);
}

function isIntroduction({ filled, alike, unlike, odd }: ExaminedRow): boolean {
  return filled > 1 && unlike + odd > alike;
}

/** A row that differs from the columns below it no more than it is like them. */
export function mayBeData(row: ExaminedRow): boolean {
  return row.isFull ? row.unlike + row.odd <= row.alike : isSparseData(row);
}
