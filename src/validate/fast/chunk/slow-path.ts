import { decodeBytes } from '../../../io/text-decode.ts';
import { passBlankLines } from '../../scan/blank-lines.ts';
import { createRowScanner, type ScannedRow, type ScanOptions } from '../../scan/scan-rows.ts';
import type { ScanDialect } from '../../scan/text-view.ts';
import { readLines } from './bytes.ts';
import type { Plan } from '../driver/plan.ts';
import { longestLine } from '../driver/sizes.ts';

/** A file whose rows are scanned one by one. */
export type SlowPathSource = {
  file: number;
  charset: string;
  dialect: ScanDialect;
  scan: Omit<ScanOptions, 'line'>;
  /** Longer lines are not read here. */
  longestLine: number;
};

/** How a file's rows are scanned. */
export function slowPathSource({ source, charset, dialect, scan, sizes }: Plan): SlowPathSource {
  return { file: source, charset, dialect, scan, longestLine: longestLine(sizes) };
}

export type SlowPathRows = {
  rows: ScannedRow[];
  /** How many bytes of the given text were taken, how many of the file behind it, and the line that follows. */
  taken: number;
  beyond: number;
  line: number;
  /** Characters that were read a second time behind unclosed quotes. */
  reread: number;
};

/** The rows of one line, and of the ones after it as far as they belong to it. */
export type SlowPathInput = {
  /** The line and what follows it; more is read from the file where that is not enough. */
  text: Buffer;
  charset: string;
  line: number;
  /** Where the text ends in the file. */
  position: number;
};

const LF = 10;
const CR = 13;

/** So many bytes are looked at for blank lines at a time. */
const BLANKS = 512;
/** What is read first behind a text whose last row is not over. */
const BEHIND = 4096;

/** So many bytes are scanned at a time, however far the end of a row is. */
export const LONGEST_STEP = 256 * 1024;

/**
 * Whether there is no end to careful reading: in a file full of unclosed quotes the next row always needs more lines. `bytes`
 * were read, and `rows` were found in them, since a row last ended with a line.
 */
export function isEndless(bytes: number, rows: number, rowLength: number): boolean {
  return bytes > 8 * rowLength + 16 * LONGEST_STEP || rows > LONGEST_STEP;
}

/**
 * The rows of a line; where quotes ask for it, of as many lines as it takes for the rows in them to be whole. Null: these, or
 * one of them, are longer than what should be in memory.
 */
export function parseOnSlowPath(source: SlowPathSource, input: SlowPathInput): SlowPathRows | null {
  return passBlanks(source, input) ?? takePlainLine(source, input) ?? scanLines(source, input);
}

/** Some of the blank lines with which the text begins; null when there are none. */
function passBlanks({ dialect, scan }: SlowPathSource, { text, line }: SlowPathInput): SlowPathRows | null {
  const { end, lines } = passBlankLines(text.toString('latin1', 0, BLANKS), 0, dialect, scan.rowLength);
  return lines === 0 ? null : { rows: [], taken: end, beyond: 0, line: line + lines, reread: 0 };
}

/** What a scanner makes of a line without quotes, without a scanner; null when there may be more to it. */
function takePlainLine({ dialect, scan }: SlowPathSource, { text, charset, line }: SlowPathInput): SlowPathRows | null {
  const { delimiter, quote, newline } = dialect;
  const end = text.indexOf(LF);
  if (end === -1 || end > scan.rowLength || delimiter === null || newline === '\r') return null;
  const content = decode(text, text[end - 1] === CR ? end - 1 : end, charset);
  if (content.includes('\r') || (quote !== null && content.includes(quote))) return null;
  const row: ScannedRow = { cells: content.split(delimiter), line, lastLine: line, problem: null };
  return { rows: [row], taken: end + 1, beyond: 0, line: line + 1, reread: 0 };
}

/**
 * Scans lines in growing steps. Behind the text they grow while a row goes on only: where rows have many lines each, few steps end
 * where a row does, and growing ones would take the rest of the file.
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
    if (next !== null) return { rows, taken: at, beyond: 0, line: next, reread: scanner.reread() };
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
      return { rows, taken: at, beyond: behind - position, line: next ?? line, reread: scanner.reread() };
    }
  }
}

function decode(bytes: Buffer, end: number, charset: string): string {
  return charset === 'utf-8' ? bytes.toString('utf8', 0, end) : decodeBytes(bytes.subarray(0, end), charset);
}
