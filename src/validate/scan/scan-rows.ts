import { skipBlankLines } from './blank-lines.ts';
import { scanRow, type RowScan } from './scan-row.ts';
import { swallowsRows, type TableShape } from './swallowed-rows.ts';
import { viewText, type ScanDialect, type TextView } from './text-view.ts';

/** One row as written: its cells are neither trimmed nor cleaned. */
export type ScannedRow = {
  cells: string[];
  /** The first physical line of the row, and the last one. */
  line: number;
  lastLine: number;
  /** Why the row cannot be used; its cells are then the beginning of its text, cut at every delimiter. */
  problem: 'unclosed-quote' | 'row-too-long' | null;
  /** How many characters a row has that is too long. */
  length?: number;
  /** No row but blank lines, or a line above the table. */
  gap?: 'blank' | 'above';
  /** Of a row whose cells were put under the columns of several files: how many it had, where its own file expects others. */
  count?: { cells: number; expected: number };
};

export type RowScanner = {
  /** Scans the next piece of the text and returns the rows that it completes. */
  push: (piece: string) => ScannedRow[];
  /** Returns the rows that are left after the last piece. */
  end: () => ScannedRow[];
  /** The next line when all the text so far is in rows, else null. */
  restsAt: () => number | null;
  /** Characters of a row whose end has not arrived yet. */
  rest: () => number;
  /** Characters that were read a second time after unclosed quotes. */
  reread: () => number;
};

export type ScanOptions = TableShape & {
  /** The physical line with which the text begins; 1 by default. */
  line?: number;
  /** The physical line on which the first row begins; lines above it are skipped. */
  firstLine: number;
  /** The longest row, in characters. */
  rowLength: number;
  /** How many cells a row has; then a lone CR between two such rows ends the first of them. */
  rowWidth?: number | null;
};

type Scan = ScanOptions & {
  shape: TableShape;
  dialect: ScanDialect;
  view: TextView;
  /** The next character to look at and its line. */
  at: number;
  line: number;
  /** No more text will come. */
  final: boolean;
  /** The beginning of the line above the table whose end has not arrived yet. */
  above: string;
  /** A row that was given up as too long, while its rest is skipped. */
  skipped: (ScannedRow & { length: number }) | null;
  /** Characters before the current text, and characters read a second time after unclosed quotes. */
  before: number;
  reread: number;
  rows: ScannedRow[];
};

const LF = 10;
const CR = 13;

/** Characters of an unusable row that are kept to show it. */
const SHOWN = 200;
/** Characters of a line above the table that are kept to show it. */
const LONGEST_ABOVE = 300;

/**
 * Creates a scanner that cuts decoded text into rows; lines above the first row and those with only blanks and delimiters are
 * answered as gaps. Line numbers count
 * `\r\n`, `\n` and lone `\r` as an editor does. A quote counts only at the start of a cell. One that is never closed, or not
 * within `rowLength` characters, or only by a quote of another row (see swallowed-rows.ts), costs its own line and no more:
 * scanning continues with the next line. Memory is bounded by `rowLength` and the size of a piece, time is linear in the text,
 * and the result does not depend on how the text is cut into pieces.
 */
export function createRowScanner(dialect: ScanDialect, options: ScanOptions): RowScanner {
  const scan: Scan = {
    line: 1,
    ...options,
    shape: options,
    dialect,
    view: viewText('', dialect),
    at: 0,
    final: false,
    above: '',
    skipped: null,
    before: 0,
    reread: 0,
    rows: [],
  };
  return {
    push: (piece) => {
      scan.before += scan.at;
      scan.view = viewText(scan.view.text.slice(scan.at) + piece, dialect);
      scan.at = 0;
      return scanText(scan);
    },
    end: () => {
      scan.final = true;
      const rows = scanText(scan);
      if (scan.skipped !== null) rows.push(scan.skipped);
      return rows;
    },
    restsAt: () => (scan.at === scan.view.text.length && scan.skipped === null ? scan.line : null),
    rest: () => scan.view.text.length - scan.at,
    reread: () => scan.reread,
  };
}

function scanText(scan: Scan): ScannedRow[] {
  scan.rows = [];
  while (scan.line < scan.firstLine && skipLine(scan));
  while (scan.line >= scan.firstLine && scan.at < scan.view.text.length) {
    const moved =
      scan.skipped === null ? skipBlank(scan) || scanPlain(scan) || scanAnyRow(scan) : skipRest(scan, scan.skipped);
    if (!moved) break;
  }
  return scan.rows;
}

/** Skips one line above the first row; false when its end has not arrived yet. */
function skipLine(scan: Scan): boolean {
  const { text } = scan.view;
  const next = nextLine(text, scan.at);
  const end = next === -1 ? endOfKnown(scan) : next;
  scan.above += text.slice(scan.at, Math.min(end, scan.at + LONGEST_ABOVE - scan.above.length));
  scan.at = end;
  if (next === -1) return false;
  keepGap(scan, 'above', { text: scan.above.trimEnd(), lines: 1 });
  scan.above = '';
  return true;
}

/** Skips blank lines; false when there are none here. */
function skipBlank(scan: Scan): boolean {
  if (scan.view.rowBreak(scan.at) === Infinity) return false;
  const { end, lines } = skipBlankLines(scan.view.text, scan.at, scan.dialect, scan.rowLength);
  scan.at = end;
  if (lines > 0) keepGap(scan, 'blank', { text: '', lines });
  return lines > 0;
}

function keepGap(scan: Scan, gap: 'blank' | 'above', { text, lines }: { text: string; lines: number }): void {
  const { line } = scan;
  scan.rows.push({ cells: [text], line, lastLine: line + lines - 1, problem: null, gap });
  scan.line += lines;
}

/** Skips the rest of a row that was given up; false when its end has not arrived yet. */
function skipRest(scan: Scan, row: ScannedRow & { length: number }): boolean {
  const { text } = scan.view;
  const end = scan.view.rowBreak(scan.at);
  const known = endOfKnown(scan);
  const isEnd = end < known;
  const next = isEnd ? end + (text.startsWith('\r\n', end) ? 2 : 1) : known;
  const contentEnd = isEnd && end > scan.at && text[end - 1] === '\r' ? end - 1 : Math.min(end, known);
  row.length += contentEnd - scan.at;
  scan.line += countBreaks(text, scan.at, next);
  scan.at = next;
  if (isEnd) {
    scan.rows.push(row);
    scan.skipped = null;
  }
  return isEnd;
}

/** The end of the text that can be judged: a final `\r` may be half of a line break. */
function endOfKnown({ view: { text }, final }: Scan): number {
  return !final && text.endsWith('\r') ? text.length - 1 : text.length;
}

/** Scans one row without quotes; false when the row needs `scanAnyRow`. */
function scanPlain(scan: Scan): boolean {
  const { view, at, line, dialect } = scan;
  const end = view.rowBreak(at);
  if (end - at > scan.rowLength || view.quote(at) < end || dialect.newline === '\r') return false;
  const contentEnd = end > at && view.text[end - 1] === '\r' ? end - 1 : end;
  const content = view.text.slice(at, contentEnd);
  const lastLine = view.cr(at) < contentEnd ? line + countBreaks(view.text, at, contentEnd) : line;
  const cells = dialect.delimiter === null ? [content] : content.split(dialect.delimiter);
  const joined = lastLine > line ? rowsByReturns(content, scan) : null;
  if (joined === null) scan.rows.push({ cells, line, lastLine, problem: null });
  else for (const row of joined) scan.rows.push(row);
  scan.line = lastLine + 1;
  scan.at = end + 1;
  return true;
}

/** The rows of a text that lone CRs stand between; null where one of them would have another number of cells. */
function rowsByReturns(content: string, { line, dialect: { delimiter }, rowWidth = null }: Scan): ScannedRow[] | null {
  if (rowWidth === null || rowWidth < 2 || delimiter === null) return null;
  const rows = content.split('\r').map((text, at): ScannedRow => {
    return { cells: text.split(delimiter), line: line + at, lastLine: line + at, problem: null };
  });
  return rows.every(({ cells }) => cells.length === rowWidth) ? rows : null;
}

/** Scans one row of any kind; false when more text is needed. */
function scanAnyRow(scan: Scan): boolean {
  const { view, at, dialect, rowLength } = scan;
  const reach = rowLength + 2 + (dialect.delimiter?.length ?? 0);
  const limit = Math.min(view.text.length, at + reach);
  const whole = limit === view.text.length;
  // Without a line end the row cannot end: this keeps a long row from being scanned again with each piece.
  if (whole && !scan.final && view.rowBreak(at) === Infinity) return false;
  const multiline = scan.reread <= 8 * rowLength + 4 * (scan.before + at);
  const row = scanRow(view, { start: at, limit, atEnd: scan.final && whole, multiline }, dialect);
  if (row.kind === 'cut' && whole && !scan.final) return false;
  if (row.kind === 'row' && row.end - at <= rowLength && !swallows(scan, row)) keepRow(scan, row);
  else if (row.suspect === null) giveUp(scan);
  else dropLine(scan, row.suspect, row.kind === 'unclosed' ? row.seen : row.kind === 'row' ? row.end : limit);
  return true;
}

/** Whether a quote that was opened by mistake was closed by another row. */
function swallows({ view, at, dialect, shape }: Scan, { suspect, end, cells }: RowScan & { kind: 'row' }): boolean {
  if (suspect === null) return false;
  return swallowsRows({ text: view.text.slice(at, end), open: suspect.open - at, found: cells.length }, dialect, shape);
}

/** The rows of a row with quotes in it, as where every CR ends a row; null as above. */
function quotedRowsByReturns(scan: Scan, { end, cells }: RowScan & { kind: 'row' }): ScannedRow[] | null {
  const { view, at, line, dialect, shape, rowLength, rowWidth = null } = scan;
  if (rowWidth === null) return null;
  const text = view.text.slice(at, end);
  if (cells.length <= rowWidth && !RETURN_BEHIND_QUOTE.test(text)) return null;
  const options = { ...shape, line, firstLine: line, rowLength, rowWidth: null };
  const scanner = createRowScanner({ ...dialect, newline: '\r' }, options);
  const rows = [...scanner.push(text), ...scanner.end()];
  const areRows = rows.every((row) => row.problem === null && row.gap === undefined && row.cells.length === rowWidth);
  return areRows && rows.length > 1 ? rows : null;
}

/** A quoted cell that a lone CR ends, where only line feeds end rows. */
const RETURN_BEHIND_QUOTE = /["']\r(?!\n)/;

function keepRow(scan: Scan, row: RowScan & { kind: 'row' }): void {
  const { view, at, line, dialect } = scan;
  const broken = view.rowBreak(at) < row.end || view.cr(at) < row.end;
  const lastLine = broken ? line + countBreaks(view.text, at, row.end) : line;
  const joined = lastLine > line && dialect.newline !== '\r' ? quotedRowsByReturns(scan, row) : null;
  if (joined === null) scan.rows.push({ cells: row.cells, line, lastLine, problem: null });
  else for (const part of joined) scan.rows.push(part);
  scan.line = lastLine + 1;
  scan.at = row.next;
}

/** Gives up a row that is too long: it ends at the next line break, wherever that is. */
function giveUp(scan: Scan): void {
  const { at, line } = scan;
  const cells = showCells(scan, at + Math.min(SHOWN, scan.rowLength));
  scan.skipped = { cells, line, lastLine: line, problem: 'row-too-long', length: 0 };
}

/** Drops the line on which an unclosed quote stands, and what its row had before it. */
function dropLine(scan: Scan, { open, resume }: { open: number; resume: number }, seen: number): void {
  const { text } = scan.view;
  const line = scan.line + countBreaks(text, scan.at, open);
  const cells = showCells(scan, Math.min(resume, scan.at + SHOWN));
  scan.rows.push({ cells, line, lastLine: line, problem: 'unclosed-quote' });
  scan.line += countBreaks(text, scan.at, resume);
  scan.reread += Math.max(0, seen - resume);
  scan.at = resume;
}

/** The text from here to `end` as cells, whatever its quotes mean. */
function showCells({ view, at, dialect }: Scan, end: number): string[] {
  const shown = view.text.slice(at, end).trimEnd();
  return dialect.delimiter === null ? [shown] : shown.split(dialect.delimiter);
}

/** The number of line breaks (`\r\n`, `\n`, lone `\r`) in a piece of text that does not end between `\r` and `\n`. */
function countBreaks(text: string, from: number, to: number): number {
  let breaks = 0;
  for (let at = from; at < to; at += 1) {
    const char = text.charCodeAt(at);
    if (char === LF || (char === CR && (at + 1 === to || text.charCodeAt(at + 1) !== LF))) breaks += 1;
  }
  return breaks;
}

/** Where the line after the next line break begins, or -1 when the text ends first (or right behind a `\r`). */
function nextLine(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === LF) return at + 1;
    if (char === CR && at + 1 < text.length) return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
  }
  return -1;
}
