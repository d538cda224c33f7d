import { counted } from '../../wording/words.ts';
import { cellKind } from './cells.ts';
import { isBlank } from './dialect.ts';
import { foldName } from './header-names.ts';
import type { Cell, Row } from './table.ts';

/** Where the header is, or where the data begin when there is none. */
export type Header = { row: Row | undefined; line: number; evidence: string };

/** Company name, address, date, currency, an empty line: more lines than this are no introduction. */
const MAX_LINES_ABOVE = 40;
const LOOK_AT_ROWS = 100;
/** Each further known name outweighs this many rows above that look like data: an introduction may be a table too. */
const FULL_ROWS_ABOVE = 3;

/** Finds the header row by the names that the trade and the configuration know, else by how it differs from the data. Pure. */
export function findHeader(all: Row[], width: number, names: Set<string>, hint: 'auto' | boolean): Header {
  const rows = all.filter((row) => !isBlank(row));
  const isTable = (row: Row) => row.cells.length === width && !isSentence(row, rows);
  const first = rows.find(isTable) ?? rows.find((row) => row.cells.length === width) ?? rows[0];
  if (first === undefined) return { row: undefined, line: 1, evidence: 'There are no rows.' };
  if (hint === false) return without(first, 'The header is set to false.');
  const known = mostKnown(
    rows.filter(({ cells }) => cells.length >= Math.min(width, 2)).slice(0, MAX_LINES_ABOVE),
    names,
  );
  if (known !== undefined) {
    const found = knownCells(known, names).map((cell) => `"${cell.text.trim()}"`);
    return withRow(known, `Line ${known.line} is the header: ${found.slice(0, 5).join(', ')} are known names.`);
  }
  if (hint === true) return withRow(first, 'The header is set to true.');
  if (looksLikeHeader(first, rows.slice(rows.indexOf(first) + 1, LOOK_AT_ROWS))) {
    return withRow(first, `Line ${first.line} is the header: it has words where the rows below have numbers or codes.`);
  }
  return without(first, 'No row looks like a header.');
}

/** A line above the header may have as many commas as a row has cells: blanks follow them, as nowhere in the table. */
function isSentence(row: Row, rows: Row[]): boolean {
  return isSpaced(row) && rows.filter(isSpaced).length * 2 < rows.length;
}

function isSpaced({ cells }: Row): boolean {
  return cells.length > 1 && cells.slice(1).every(({ text, quoted }) => !quoted && /^ \S/.test(text));
}

function withRow(row: Row, evidence: string): Header {
  const above = row.line > 1 ? ` Skipped above it: ${counted(row.line - 1, 'line')}.` : '';
  return { row, line: row.line, evidence: evidence + above };
}

function without(first: Row, evidence: string): Header {
  return { row: undefined, line: first.line, evidence: `${evidence} The data begin in line ${first.line}.` };
}

/**
 * Two known names make a header, or one when it is half of the row: a brand may be called "Stock" too. Above a header
 * are lines of few cells; among rows as full as itself a row of known words is one of the data.
 */
function mostKnown(rows: Row[], names: Set<string>): Row | undefined {
  let best: Row | undefined;
  let most = 0;
  for (const [at, row] of rows.entries()) {
    const known = knownCells(row, names).length;
    const filled = filledCells(row);
    const fullAbove = rows.slice(0, at).filter((other) => filledCells(other) >= filled).length;
    if (fullAbove > FULL_ROWS_ABOVE * (known - 1)) continue;
    if (known > most && (known >= 2 || known * 2 >= filled)) [best, most] = [row, known];
  }
  return best;
}

function filledCells(row: Row): number {
  return row.cells.filter((cell) => cell.text.trim() !== '').length;
}

function knownCells(row: Row, names: Set<string>): Cell[] {
  return row.cells.filter((cell) => names.has(foldName(cell.text)));
}

/** Distinct words above a column of numbers, dates or codes that is not one itself. */
function looksLikeHeader(first: Row, below: Row[]): boolean {
  const cells = first.cells.map((cell) => cell.text.trim()).filter((text) => text !== '');
  const kinds = first.cells.map((cell) => cellKind(cell.text));
  if (kinds.includes('number') || kinds.includes('date') || new Set(cells).size < cells.length) return false;
  return kinds.some((kind, column) => {
    if (kind !== 'word' && kind !== 'text') return false;
    const filled = below.map((row) => cellKind(row.cells[column]?.text ?? '')).filter((other) => other !== 'empty');
    const typed = filled.filter((other) => other === 'number' || other === 'date' || other === 'code');
    return filled.length > 0 && typed.length >= filled.length * 0.8;
  });
}
