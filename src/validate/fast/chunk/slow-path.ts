import { decodeBytes } from '../../../io/text-decode.ts';
import { skipBlankLines } from '../../scan/blank-lines.ts';
import { createRowScanner, type ScannedRow, type ScanOptions } from '../../scan/scan-rows.ts';
import type { ScanDialect } from '../../scan/text-view.ts';
import { readLines } from './bytes.ts';
import type { Plan } from './plan.ts';
import { longestLine } from '../sizes.ts';

/** A file whose rows the slow path scans one by one. */
export type SlowPathSource = {
  file: number;
  charset: string;
  dialect: ScanDialect;
  scan: Omit<ScanOptions, 'line'>;
  /** Longer lines end the fast path. */
  longestLine: number;
};

/** How the slow path scans the rows of a file. */
export function slowPathSource({ source, charset, dialect, scan, sizes }: Plan): SlowPathSource {
  return { file: source, charset, dialect, scan, longestLine: longestLine(sizes) };
}

export type SlowPathRows = {
  rows: ScannedRow[];
  /** Bytes consumed of the given text, bytes consumed of the file after it, and the line that follows. */
  consumed: number;
  beyond: number;
  line: number;
  /** Characters read a second time after unclosed quotes. */
  reread: number;
};

/** A line whose rows are wanted, with the lines after it that belong to them. */
export type SlowPathInput = {
  /** The line and what follows it; if a row does not end in it, more is read from the file. */
  text: Buffer;
  charset: string;
  line: number;
  /** The position in the file where the text ends. */
  position: number;
};

const LF = 10;
const CR = 13;
const SPACE = 32;

/** Bytes searched for blank lines at a time. */
const BLANKS = 512;
/** Bytes read first after a text whose last row is incomplete. */
const BEHIND = 4096;

/** Most bytes that are scanned at a time, however far away the end of a row is. */
export const LONGEST_STEP = 256 * 1024;

/**
 * Whether the slow path would never hand back to the kernel: in a file full of unclosed quotes the next row always needs more
 * lines. `bytes` and `rows` count what was read since a row last ended at a line end.
 */
export function isEndless(bytes: number, rows: number, rowLength: number): boolean {
  return bytes > 8 * rowLength + 16 * LONGEST_STEP || rows > LONGEST_STEP;
}

/**
 * Parses the rows of a line on the slow path, and of as many further lines as their quotes span. Returns null when a line, or
 * all of them together, are too long for memory.
 */
export function parseOnSlowPath(source: SlowPathSource, input: SlowPathInput): SlowPathRows | null {
  return skipBlanks(source, input) ?? parsePlainLine(source, input) ?? scanLines(source, input);
}

/** The blank lines at the beginning of the text; null when there are none. */
function skipBlanks({ dialect, scan }: SlowPathSource, { text, line }: SlowPathInput): SlowPathRows | null {
  if (text[0]! > SPACE && text[0] !== dialect.delimiter?.charCodeAt(0)) return null;
  const { end, lines } = skipBlankLines(text.toString('latin1', 0, BLANKS), 0, dialect, scan.rowLength);
  const rows: ScannedRow[] = [{ cells: [''], line, lastLine: line + lines - 1, problem: null, gap: 'blank' }];
  return lines === 0 ? null : { rows, consumed: end, beyond: 0, line: line + lines, reread: 0 };
}

/** Parses a line without quotes as the scanner would, without starting one; null when the line needs the scanner. */
function parsePlainLine(
  { dialect, scan }: SlowPathSource,
  { text, charset, line }: SlowPathInput,
): SlowPathRows | null {
  const { delimiter, quote, newline } = dialect;
  const end = text.indexOf(LF);
  if (end === -1 || end > scan.rowLength || delimiter === null || newline === '\r') return null;
  const content = decode(text, text[end - 1] === CR ? end - 1 : end, charset);
  if (content.includes('\r') || (quote !== null && content.includes(quote))) return null;
  const row: ScannedRow = { cells: content.split(delimiter), line, lastLine: line, problem: null };
  return { rows: [row], consumed: end + 1, beyond: 0, line: line + 1, reread: 0 };
}

/**
 * Scans lines in growing steps. After the end of the text, steps grow only while a row goes on: where each row has many lines,
 * few steps end at a row end, and growing ones would consume the rest of the file.
 */
function scanLines(source: SlowPathSource, { text, charset, line, position }: SlowPathInput): SlowPathRows | null {
  const { dialect, scan } = source;
  const scanner = createRowScanner(dialect, { ...scan, line, firstLine: line });
  const rows: ScannedRow[] = [];
  const push = (piece: string | null): boolean => {
    const found = piece === null ? scanner.end() : scanner.push(piece);
    for (const row of found) rows.push(row);
    return found.length > 0;
  };
  let at = 0;
  for (let step = 1; at < text.length; step *= 4) {
    const reach = text.indexOf(LF, Math.min(at + step, text.length) - 1);
    const end = reach === -1 ? text.length : reach + 1;
    const piece = text.subarray(at, end);
    push(decode(piece, piece.length, charset));
    at = end;
    const next = scanner.restsAt();
    if (next !== null) return { rows, consumed: at, beyond: 0, line: next, reread: scanner.reread() };
  }
  let behind = position;
  for (let step = BEHIND; ;) {
    if (isEndless(behind - position, rows.length, scan.rowLength)) return null;
    const more = readLines(source.file, behind, step, source.longestLine);
    if (more === null) return null;
    behind += more.length;
    step = push(more.length === 0 ? null : decode(more, more.length, source.charset))
      ? BEHIND
      : Math.min(step * 4, LONGEST_STEP);
    const next = scanner.restsAt();
    if (next !== null || more.length === 0) {
      return { rows, consumed: at, beyond: behind - position, line: next ?? line, reread: scanner.reread() };
    }
  }
}

function decode(bytes: Buffer, end: number, charset: string): string {
  return charset === 'utf-8' ? bytes.toString('utf8', 0, end) : decodeBytes(bytes.subarray(0, end), charset);
}
