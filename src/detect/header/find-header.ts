import type { HeaderSetting } from '../../config/schema/feed-settings.ts';
import { counted } from '../../wording/words.ts';
import { isBlank } from '../table/dialect.ts';
import type { Row } from '../table/table.ts';
import { examineRows, type ExaminedRow } from './examined-rows.ts';
import { findFirstData, isData, isRival, isSure, mayBeData, rankCandidates } from './candidates.ts';
import { headerBlock, type Block } from './header-block.ts';
import type { KnownNames } from '../table/header-names.ts';

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

/**
 * Finds the header: the row above the data that names their columns, by the names that the trade and the configuration know and
 * by how it differs from the columns below it. Rows of few cells are no part of the table, however wide they are. Pure.
 */
export function findHeader(all: Row[], width: number, names: KnownNames, hint: HeaderSetting): Header {
  if (typeof hint === 'number') return headerIn(all, hint);
  const rows = examineRows(all, width, names);
  if (rows.length === 0) return { names: null, line: 1, sure: true, evidence: 'There are no rows.' };
  const firstData = findFirstData(rows);
  const candidates = rankCandidates(rows, firstData);
  const best = candidates[0];
  if (best === undefined && hint !== true) return withoutHeader(rows, width, firstData, hint);
  const at =
    best?.at ??
    Math.max(
      0,
      rows.findIndex(({ isFull }) => isFull),
    );
  const block = headerBlock(rows, at, firstData, names);
  if (hint === false) return belowHeader(rows, block, firstData);
  if (hint === true) return withHeader(rows, block, true, 'the header is set to true');
  const rival = candidates.find((other) => isRival(rows, block, best!, other));
  const sure = width < 2 || (rival === undefined && isSure(rows, block, best!, firstData));
  const found = withHeader(rows, block, sure, reasonFor(rows[at]!));
  if (sure) return found;
  const doubt =
    rival === undefined ? 'it may be a row of data' : `line ${rows[rival.at]!.row.line} could be it as well`;
  return { ...found, evidence: `${found.evidence} This is not certain: ${doubt}.` };
}

/** The header where the settings say it is; the table begins below it. */
function headerIn(all: Row[], line: number): Header {
  const row = all.find((one) => one.line === line && !isBlank(one));
  if (row !== undefined) {
    const found = {
      names: textsOf(row),
      line,
      sure: true,
      evidence: `Line ${line} is the header: the header is set to it.`,
    };
    return besideCounts(found, all.slice(all.indexOf(row) + 1).map(textsOf));
  }
  const evidence = `The header is set to line ${line}. It is not certain what is meant: no row begins there.`;
  return { names: null, line: 1, sure: false, evidence };
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
  const found = { names, line, sure, evidence: `${where}: ${because}.${above}` };
  return besideCounts(
    found,
    rows.slice(end + 1).map(({ cells }) => cells),
  );
}

/** Where the rows below are counted in a column without a cell in the header, each name belongs to the next column. */
function besideCounts(found: Header & { names: string[] }, below: string[][]): Header {
  if (!areCountedWithoutName(found.names, below)) return found;
  const evidence = `${found.evidence} It has no cell for the first column, which counts the rows.`;
  return { ...found, names: ['', ...found.names], evidence };
}

/** Fewer rows in order may be offers whose last cell is empty. */
const LEAST_COUNTED = 3;

/**
 * Whether the rows below a header are counted in a column that the header has no cell for, as R's `write.table` writes them: each name then
 * stands one cell to the left of its column. `names`: the header's cells; `below`: those of the rows below it, in order. Pure.
 */
function areCountedWithoutName(names: string[], below: string[][]): boolean {
  if (below.length < LEAST_COUNTED || names.some((name) => name === '')) return false;
  const first = Number(below[0]![0]);
  if (first !== 0 && first !== 1) return false;
  return below.every((cells, at) => cells.length === names.length + 1 && cells[0] === String(first + at));
}

function textsOf({ cells }: Row): string[] {
  return cells.map(({ text }) => text.trim());
}

/** A header in a file that is said to have none is no offer either. */
function belowHeader(rows: ExaminedRow[], { end }: Block, firstData: number): Header {
  const next = rows.find((row, at) => at > end && !row.isNumbering);
  const row = firstData !== -1 && firstData <= end ? rows[firstData]! : (next ?? rows[end]!);
  return dataFrom(row, true, 'The header is set to false.');
}

function withoutHeader(rows: ExaminedRow[], width: number, firstData: number, hint: 'auto' | boolean): Header {
  const at = startOfData(rows, firstData);
  const row = rows[at]!;
  if (hint === false) return dataFrom(row, true, 'The header is set to false.');
  const above = rows.slice(0, at).some(({ isFull, unlike, alike }) => isFull && (alike >= 1 || unlike <= alike));
  const sure = width < 2 || (isData(row) && !above);
  const doubt = sure ? '' : ` It is not certain that line ${row.row.line} is a row of data.`;
  return dataFrom(row, sure, `No row looks like a header.${doubt}`);
}

/** The first row of the data: also one that may be data directly above those that surely are, so that no offer is lost. */
function startOfData(rows: ExaminedRow[], firstData: number): number {
  if (firstData === -1) return Math.max(0, rows.findIndex(mayBeData));
  let start = firstData;
  for (let at = firstData - 1; at >= 0; at -= 1) {
    const row = rows[at]!;
    if (mayBeData(row)) start = at;
    else if (row.unlike > row.alike || (!row.isFull && row.odd > 0)) break;
  }
  return start;
}

function dataFrom({ row: { line } }: ExaminedRow, sure: boolean, evidence: string): Header {
  return { names: null, line, sure, evidence: `${evidence} The data begin in line ${line}.` };
}
