import type { ExaminedRow } from './examined-rows.ts';
import type { Block } from './header-block.ts';

/** A row that may be the header. `isNamed`: names that are known make it one, not only how it differs from the data. */
export type Candidate = { at: number; score: number; isNamed: boolean };

/** A row of known names outweighs rows above it that look like data: an introduction may be a table too. */
const DATA_ABOVE = 3;
const MOST_DATA_ABOVE = 2;
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

/** A row that looks like the columns below it, more than it looks like a header. */
export function isData({ isFull, isNumbering, alike, unlike, odd, whole, words }: ExaminedRow): boolean {
  return isFull && !isNumbering && alike >= 1 && alike > unlike + odd + whole + words / 2;
}

/** The rows that may be the header, the best first; among equals the first, since headers may come again on each page. */
export function rankCandidates(rows: ExaminedRow[], firstData: number): Candidate[] {
  return rows
    .flatMap((row, at) => {
      const isNamed = hasNames(rows, at);
      if (!row.isFull || row.isNumbering || isData(row) || !(isNamed || isAboveData(rows, at, firstData))) return [];
      return [{ at, isNamed, score: scoreOf(rows, at, firstData) }];
    })
    .sort((a, b) => b.score - a.score || a.at - b.at);
}

/**
 * Two known names make a header, wherever it is; fewer do not, since a brand may be called "Stock" too. Among rows as full as
 * itself a row of known words is one of the data.
 */
function hasNames(rows: ExaminedRow[], at: number): boolean {
  const { filled, odd } = rows[at]!;
  const known = knownIn(rows[at]!);
  if (known < LEAST_KNOWN || odd * 2 > known) return false;
  const above = rows
    .slice(0, at)
    .filter((other) => other.isFull && other.filled >= filled && other.unlike <= other.alike);
  return above.length <= DATA_ABOVE * (known - 1);
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

function isNextToData(rows: ExaminedRow[], at: number, firstData: number): boolean {
  return firstData > at && rows.slice(at + 1, firstData).every((row) => !row.isFull || row.isNumbering);
}

function scoreOf(rows: ExaminedRow[], at: number, firstData: number): number {
  const { whole, words, odd, filled, unlike, alike } = rows[at]!;
  const most = Math.max(...rows.map((row) => row.filled));
  const names = whole * WHOLE + words * WORD + odd * ODD;
  return names + unlike - alike + (FILLED * filled) / most + (isNextToData(rows, at, firstData) ? NEXT_TO_DATA : 0);
}

/** Another row that could be the header: not one of its own rows, and not the same header on the next page. */
export function isRival(rows: ExaminedRow[], { start, end }: Block, best: Candidate, other: Candidate): boolean {
  const isSame = rows[other.at]!.cells.join('\n') === rows[best.at]!.cells.join('\n');
  return !isSame && (other.at < start || other.at > end) && other.score >= best.score * RIVAL;
}

/**
 * Known names are a header when hardly anything that looks like data is above them. Without them, a row that differs from the
 * data is one when it is the only such row: a line of an introduction differs as well.
 */
export function isSure(rows: ExaminedRow[], { start }: Block, { at, isNamed }: Candidate): boolean {
  const { alike, unlike } = rows[at]!;
  const dataAbove = rows.slice(0, at).filter(isData).length;
  if (dataAbove > 0) return knownIn(rows[at]!) >= PLENTY_KNOWN && dataAbove <= MOST_DATA_ABOVE;
  if (isNamed) return true;
  return unlike >= 1 && alike < unlike && rows.slice(0, start).every((row) => !row.isFull);
}
