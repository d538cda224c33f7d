import { open } from 'node:fs/promises';
import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import { OfferlineError } from '../../../errors.ts';
import { refusal } from '../../../io/refusal.ts';
import { readInto } from '../../../io/read-pieces.ts';
import { decodeBytes } from '../../../io/text-decode.ts';
import type { WrittenFile } from '../../../model.ts';
import { createRowScanner, type RowScanner, type ScannedRow } from '../../../validate/scan/scan-rows.ts';
import { sourceOfText } from '../../../validate/scan/scan-text.ts';
import type { ScanDialect } from '../../../validate/scan/text-view.ts';
import { createRowCutter, emptyRow, type ByteRow } from './byte-row.ts';
import type { PlainRows } from './kernel/plain-rows.ts';

/** How rows are read: so many bytes at a time, and whether plain ones are taken at once. Only tests read them otherwise than READ_ROWS. */
export type ReadRows = { chunk: number; takesPlain: boolean };
const READ_ROWS: ReadRows = { chunk: 1 << 20, takesPlain: true };

/** A text in a charset of single bytes or in UTF-8, in which line feeds end rows; `written` says how. */
export type ByteText = {
  name: string;
  path: string;
  written: WrittenFile;
  settings: Pick<ReadSettings, 'limits'>;
  reading?: ReadRows | undefined;
};

/** Who takes the rows of a text, from its first byte to its last. */
export type RowVisitor = {
  /** Takes plain rows at once, so that the visitor does not see them; null when all of them come one by one. */
  plain: (dialect: ScanDialect) => PlainRows | null;
  /** A row that is cut already, and its line. */
  row: (row: ByteRow, line: number) => void;
  /** A row that had to be scanned, and its bytes with the line end. */
  scanned: (row: ScannedRow, bytes: Buffer) => void;
  /** Lines that are no rows: above the table, or of rows that nobody can cut. */
  lines: (bytes: Buffer) => void;
  /** Is awaited again and again: what was taken so far may go. Answers false when no more is wanted. */
  pause: () => Promise<boolean>;
};

const LF = 10;
const CR = 13;
const BYTES_A_CHARACTER = 4;
const BOM = Buffer.from('\uFEFF');

/** The state of reading: the bytes at hand, what of them was taken, the line that comes next. */
type Reading = {
  row: ByteRow;
  bytes: Buffer;
  at: number;
  end: number;
  isFinal: boolean;
  line: number;
};

/**
 * Hands over all rows of a text with their bytes. Nearly all are cut at their bytes; the scanner of rows cuts those with quotes that mean more.
 * Throws `interrupted` when the signal is aborted.
 */
export async function readByteRows(
  text: ByteText,
  visitor: RowVisitor,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { name, path, written, settings, reading: how = READ_ROWS } = text;
  const source = sourceOfText({ path, detection: written, settings });
  const cut = createRowCutter(source.dialect);
  using plain = how.takesPlain ? visitor.plain(source.dialect) : null;
  await using handle = await open(path);
  const reading: Reading = {
    row: emptyRow(),
    bytes: Buffer.allocUnsafe(how.chunk),
    at: 0,
    end: 0,
    isFinal: false,
    line: source.scan.line ?? 1,
  };
  let position = 0;
  let slow: SlowRows | null = null;
  const fill = () => {
    const { bytes, at, end } = reading;
    const rest = end - at;
    // A line that is longer than the buffer needs a larger one.
    if (at === 0 && end === bytes.length) {
      if (bytes.length > how.chunk + BYTES_A_CHARACTER * settings.limits.rowLength)
        throw endless(name, settings.limits.rowLength);
      reading.bytes = Buffer.allocUnsafe(bytes.length * 2);
    }
    bytes.copy(reading.bytes, 0, at, end);
    const wanted = reading.bytes.length - rest;
    const got = readInto(handle.fd, reading.bytes, rest, wanted, position);
    position += got;
    [reading.at, reading.end, reading.isFinal] = [0, rest + got, got < wanted];
  };
  fill();
  if (written.bom && reading.bytes.subarray(0, BOM.length).equals(BOM) && reading.end >= BOM.length)
    reading.at = BOM.length;
  for (;;) {
    plain?.load(reading.bytes, reading.at, reading.end);
    if (signal?.aborted === true) throw new OfferlineError('interrupted', 'Reading the file was interrupted.');
    for (;;) {
      if (reading.line < source.scan.firstLine) {
        if (!takeLineAbove(reading, visitor)) break;
      } else if (slow !== null) {
        if (!slow.take(reading)) break;
        if (slow.isDone()) slow = null;
      } else {
        if (plain !== null && reading.line > plain.headerLine) takePlain(reading, plain);
        const found = cut === null ? 'other' : cutRow(reading, cut);
        if (found === 'cut' || (found === 'other' && reading.at === reading.end)) break;
        if (found === 'row') {
          visitor.row(reading.row, reading.line);
          reading.line += 1;
          reading.at = reading.row.next;
        } else {
          const options = { ...source.scan, line: reading.line, firstLine: reading.line };
          slow = slowRows(createRowScanner(source.dialect, options), reading.line, written.charset, visitor);
        }
      }
    }
    const goesOn = await visitor.pause();
    if (!goesOn || (reading.isFinal && reading.at === reading.end)) break;
    if (reading.isFinal) throw new Error(`The last row of ${path} was not taken.`);
    fill();
  }
  slow?.end();
}

function endless(name: string, most: number): Error {
  const message = `${name} has a line of more than ${most} characters (limits.rowLength), so it cannot be joined. Send it with line ends.`;
  return refusal('joined-file-unusable', message, { limit: most });
}

/** Takes the plain rows that are next. */
function takePlain(reading: Reading, plain: PlainRows): void {
  do {
    reading.at = plain.take(reading.at, reading.end);
    reading.line += plain.taken;
  } while (plain.isFull && plain.taken > 0);
}

function cutRow(reading: Reading, cut: NonNullable<ReturnType<typeof createRowCutter>>) {
  const { row, at, end, isFinal } = reading;
  if (at === end) return 'cut';
  row.bytes = reading.bytes;
  return cut(row, at, end, isFinal);
}

/** Hands over a line above the table; false when its end is not there yet. */
function takeLineAbove(reading: Reading, visitor: RowVisitor): boolean {
  const { bytes, at, end, isFinal } = reading;
  const next = nextLine(bytes, at, end, isFinal);
  if (next === -1) return false;
  visitor.lines(bytes.subarray(at, next));
  reading.at = next;
  reading.line += 1;
  return true;
}

/** Where the line after the next line end begins (CR LF, LF, lone CR), or the end of the last line; -1 when that is not there yet. */
function nextLine(bytes: Buffer, from: number, end: number, isFinal: boolean): number {
  let at = from;
  while (at < end && bytes[at] !== LF && bytes[at] !== CR) at += 1;
  if (at === end) return isFinal && end > from ? end : -1;
  if (bytes[at] === LF) return at + 1;
  if (at + 1 === end && !isFinal) return -1;
  return at + 1 < end && bytes[at + 1] === LF ? at + 2 : at + 1;
}

/** Rows that the scanner cuts, from one that cannot be cut at its bytes to the next line between rows. */
type SlowRows = {
  /** Takes the next line of bytes; false when its end is not there yet. */
  take: (reading: Reading) => boolean;
  isDone: () => boolean;
  end: () => void;
};

function slowRows(scanner: RowScanner, first: number, charset: string, visitor: RowVisitor): SlowRows {
  /** Lines whose rows are not known yet, the first of them, and text that the scanner has not seen. */
  let lines: Buffer[] = [];
  let line = first;
  let held = '';
  let isDone = false;
  const giveLines = (before: number): Buffer => {
    const given = lines.slice(0, before - line);
    lines = lines.slice(given.length);
    line += given.length;
    return Buffer.concat(given);
  };
  const give = (rows: ScannedRow[]) => {
    for (const row of rows) {
      if (row.line > line) visitor.lines(giveLines(row.line));
      const bytes = giveLines(row.lastLine + 1);
      if (row.gap !== undefined) visitor.lines(bytes);
      else visitor.scanned(row, bytes);
    }
  };
  return {
    take: (reading) => {
      const { bytes, at, end, isFinal } = reading;
      const lineEnd = bytes.subarray(at, end).indexOf(LF);
      if (lineEnd === -1 && !isFinal) return false;
      if (at === end) return false;
      const next = lineEnd === -1 ? end : at + lineEnd + 1;
      const taken = Buffer.from(bytes.subarray(at, next));
      for (const one of physicalLines(taken)) lines.push(one);
      held += decodeBytes(taken, charset);
      reading.at = next;
      // A long row is looked at again when as much has arrived: each look goes through all of it.
      if (held.length < scanner.rest()) return true;
      give(scanner.push(held));
      held = '';
      const rests = scanner.restsAt();
      if (rests === null) return true;
      if (lines.length > 0) visitor.lines(giveLines(line + lines.length));
      reading.line = rests;
      isDone = true;
      return true;
    },
    isDone: () => isDone,
    end: () => {
      give(scanner.push(held));
      give(scanner.end());
      if (lines.length > 0) visitor.lines(giveLines(line + lines.length));
    },
  };
}

/** The lines of bytes with their ends, as rows count them. */
function physicalLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const next = nextLine(bytes, at, bytes.length, true);
    lines.push(bytes.subarray(at, next));
    at = next;
  }
  return lines;
}
