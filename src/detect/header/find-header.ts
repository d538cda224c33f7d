import { counted } from '../../wording/words.ts';
import type { Row } from '../table/table.ts';
import { examineRows, type ExaminedRow } from './examined-rows.ts';
import { headerBlock, type Block } from './header-block.ts';

/** Where the header is, or where the data begin when there is none. */
export type Header = {
  /** The names of the columns; null when there is no header. */
  names: string[] | null;
  /** The line of the last row of the header, or of the first row of data. */
  line: number;
  /** False: a header, a line above it or a row of data may have been taken for another of them. */
  sure: boolean;
  evidence: string;
};

type Candidate = { at: number; score: number };

/** A row of known names outweighs rows above it that look like data: an introduction may be a table too. */
const DATA_ABOVE = 3;
const MOST_DATA_ABOVE = 2;
const LEAST_WHOLE = 2;
const PLENTY_WHOLE = 3;
/** Another row with this share of the best one's score could be the header as well. */
const RIVAL = 0.8;
/** What counts for a header: a known name more than a cell that differs from its column. */
const WHOLE = 2;
const WORD = 1;
const ODD = -2;
const FILLED = 2;
const NEXT_TO_DATA = 1.5;

/**
 * Finds the header: the row above the data that names their columns, by the names that the trade and the configuration know and
 * by how it differs from the columns below it. Rows of few cells are no part of the table, however wide they are. Pure.
 */
export function findHeader(all: Row[], width: number, names: Set<string>, hint: 'auto' | boolean): Header {
  const rows = examineRows(all, width, names);
  if (rows.length === 0) return { names: null, line: 1, sure: true, evidence: 'There are no rows.' };
  const firstData = rows.findIndex(isData);
  const candidates = rankCandidates(rows, firstData);
  const best = candidates[0];
  if (best === undefined && hint !== true) return withoutHeader(rows, width, firstData, hint);
  const at = best?.at ?? Math.max(0, firstData === -1 ? rows.findIndex(({ isFull }) => isFull) : firstData - 1);
  const block = headerBlock(rows, at, firstData, names);
  if (hint === false) return belowHeader(rows, block, firstData);
  if (hint === true) return withHeader(rows, block, true, 'the header is set to true');
  const rival = candidates.find((other) => isRival(rows, block, { best: best!, other }));
  const sure = rival === undefined && isSure(rows, at);
  const found = withHeader(rows, block, sure, reasonFor(rows[at]!));
  if (sure) return found;
  const doubt =
    rival === undefined ? 'it may be a row of data' : `line ${rows[rival.at]!.row.line} could be it as well`;
  return { ...found, evidence: `${found.evidence} This is not certain: ${doubt}.` };
}

/** A row that looks like the columns below it, more than it looks like a header. */
function isData({ isFull, isNumbering, alike, unlike, whole }: ExaminedRow): boolean {
  return isFull && !isNumbering && alike >= 1 && alike > unlike + whole;
}

function rankCandidates(rows: ExaminedRow[], firstData: number): Candidate[] {
  return rows
    .flatMap((_, at) => (mayBeHeader(rows, at, firstData) ? [{ at, score: scoreOf(rows, at, firstData) }] : []))
    .sort((a, b) => b.score - a.score || a.at - b.at);
}

/**
 * Two known names make a header, or one when it is half of the row: a brand may be called "Stock" too. Without them it must
 * differ from the columns below it, and stand above the data. Among rows as full as itself a row of known words is one of the data.
 */
function mayBeHeader(rows: ExaminedRow[], at: number, firstData: number): boolean {
  const row = rows[at]!;
  const { isFull, isNumbering, whole, words, filled, alike, unlike, odd, cells } = row;
  if (!isFull || isNumbering || isData(row)) return false;
  const known = whole + words / 2;
  if (known >= LEAST_WHOLE || (whole > 0 && known * 2 >= filled)) {
    const above = rows
      .slice(0, at)
      .filter((other) => other.isFull && other.filled >= filled && other.unlike <= other.alike);
    return above.length <= DATA_ABOVE * Math.max(0, known - 1);
  }
  const texts = cells.filter((cell) => cell !== '');
  const isDistinct = new Set(texts).size === texts.length;
  return isDistinct && odd === 0 && unlike >= 1 && alike < 1 && (firstData === -1 || at < firstData);
}

function scoreOf(rows: ExaminedRow[], at: number, firstData: number): number {
  const { whole, words, odd, filled, unlike, alike } = rows[at]!;
  const most = Math.max(...rows.map((row) => row.filled));
  const between = rows.slice(at + 1, Math.max(at + 1, firstData));
  const isNext = firstData > at && between.every((row) => row.filled === 1 || row.isNumbering);
  const names = whole * WHOLE + words * WORD + odd * ODD;
  return names + unlike - alike + (FILLED * filled) / most + (isNext ? NEXT_TO_DATA : 0);
}

/** Another row that could be the header: not one of its own rows, and not the same header on the next page. */
function isRival(rows: ExaminedRow[], { start, end }: Block, { best, other }: { best: Candidate; other: Candidate }) {
  const isSame = rows[other.at]!.cells.join('\n') === rows[best.at]!.cells.join('\n');
  return !isSame && (other.at < start || other.at > end) && other.score >= best.score * RIVAL;
}

/** A row of names is the header when nothing that looks like data is above it, and the columns below it are not like it. */
function isSure(rows: ExaminedRow[], at: number): boolean {
  const { whole, alike, unlike } = rows[at]!;
  const dataAbove = rows.slice(0, at).filter(isData).length;
  if (dataAbove > 0) return whole >= PLENTY_WHOLE && dataAbove <= MOST_DATA_ABOVE;
  return whole >= LEAST_WHOLE || (unlike >= 1 && alike < unlike);
}

function reasonFor({ known, whole, words }: ExaminedRow): string {
  if (whole + words === 0) return 'it has words where the rows below have numbers or codes';
  const shown = known.slice(0, 5).map((name) => `"${name}"`);
  return `${shown.join(', ')} ${shown.length === 1 ? 'is a known name' : 'are known names'}`;
}

function withHeader(rows: ExaminedRow[], { start, end, names }: Block, sure: boolean, because: string): Header {
  const [top, line] = [rows[start]!.row.line, rows[end]!.row.line];
  const where = start === end ? `Line ${line} is the header` : `Lines ${top} to ${line} are the header`;
  const above = top > 1 ? ` Skipped above it: ${counted(top - 1, 'line')}.` : '';
  return { names, line, sure, evidence: `${where}: ${because}.${above}` };
}

/** A header in a file that is said to have none is no offer either. */
function belowHeader(rows: ExaminedRow[], { end }: Block, firstData: number): Header {
  const next = rows[end + 1];
  const row = firstData !== -1 && firstData <= end ? rows[firstData]! : (next ?? rows[end]!);
  return dataFrom(row, true, 'The header is set to false.');
}

function withoutHeader(rows: ExaminedRow[], width: number, firstData: number, hint: 'auto' | boolean): Header {
  const start =
    rows.find((row) => row.isFull && row.alike >= row.unlike) ?? rows[firstData] ?? rows.find(({ isFull }) => isFull);
  const row = start ?? rows[0]!;
  if (hint === false) return dataFrom(row, true, 'The header is set to false.');
  const sure = width < 2 || isData(row);
  const doubt = sure ? '' : ` It is not certain that line ${row.row.line} is a row of data.`;
  return dataFrom(row, sure, `No row looks like a header.${doubt}`);
}

function dataFrom({ row: { line } }: ExaminedRow, sure: boolean, evidence: string): Header {
  return { names: null, line, sure, evidence: `${evidence} The data begin in line ${line}.` };
}
