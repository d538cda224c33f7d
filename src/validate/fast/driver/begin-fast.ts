import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import type { TablePart } from '../../../model.ts';
import { createPartSet } from '../../../parts/part-set.ts';
import { decodeBytes } from '../../../io/text-decode.ts';
import type { TextWriter } from '../../../io/text-writer.ts';
import type { IssuesLayout } from '../../issues/issue-line.ts';
import { countSample, parseRows, type Reading } from '../../checks/read-rows.ts';
import { createRowScanner, type ScannedRow, type ScanOptions } from '../../scan/scan-rows.ts';
import type { ScanDialect } from '../../scan/text-view.ts';
import { lineStart, readLines } from '../chunk/bytes.ts';
import { isEndless, LONGEST_STEP } from '../chunk/slow-path.ts';
import { openPool, type Pool } from './pool.ts';
import { readFast } from './read-fast.ts';
import type { FastFile } from './run-threads.ts';
import { longestLine, type Sizes } from '../sizes.ts';

export type FastInput = {
  path: string;
  size: number;
  dialect: ScanDialect;
  scan: ScanOptions;
  charset: string;
  bom: boolean;
  rows: TextWriter | null;
  issues: TextWriter | null;
  issuesLayout: IssuesLayout;
  /** The table that the text was made of, if it was. */
  tables: TablePart[];
  numbered: boolean;
  /** Bytes that are not UTF-8 end the fast path. */
  onlyUtf8: boolean;
  sizes: Sizes;
  /** Where temporary files go. */
  folder: string;
  /** Threads that are running already, or null. */
  pool: Pool | null;
  signal?: AbortSignal | undefined;
  /** Is told again and again up to which byte the file is read. */
  onRead: (position: number) => void;
};

const BOM_BYTES = 3;
/** How many times as long as its first step the head may be. */
const LONGEST_HEAD = 128;

/** More rows of the head are given back to kernels where the first ones are enough. */
const MOST_HEAD_ROWS = 4096;

/** How many of the first rows are enough to see what the table is like. */
function enoughOf(rows: ScannedRow[], wanted: number): number {
  let enough = Math.max(wanted, 2);
  while (enough < rows.length && countSample(rows.slice(0, enough), false) < wanted) enough *= 2;
  return enough;
}

/**
 * Reads a file on the fast path: its beginning row by row, the rest in chunks. Returns false when the whole file has to be
 * read on the slow path; what was written and found until then does not count.
 */
export async function readOnFastPath(input: FastInput, reading: Reading): Promise<boolean> {
  const { path, charset, bom, dialect, rows, issues } = input;
  await using handle = await open(path);
  const parts: FastFile['parts'] = [];
  const set = createPartSet();
  reading.parts = {
    size: 0,
    firstLine: (key, line) => {
      const first = set.firstLine(key, line);
      if (first === undefined) parts.push({ key, line });
      return first;
    },
  };
  const scanner = createRowScanner(dialect, input.scan);
  const first = bom && charset === 'utf-8' ? BOM_BYTES : 0;
  let start = first;
  let line: number | null = null;
  const head: ScannedRow[] = [];
  const { head: least, headRows } = input.sizes;
  // A quote that nobody closes shows it when the longest row is over, in characters of up to four bytes.
  const most = start + Math.max(least * LONGEST_HEAD, 4 * input.scan.rowLength + LONGEST_STEP);
  for (let step = least; line === null || countSample(head, false) < headRows;) {
    if (isEndless(start - first, head.length, input.scan.rowLength) || start > most) return false;
    const bytes = readLines(handle.fd, start, step, longestLine(input.sizes));
    if (bytes?.length === 0 && line !== null) break;
    if (bytes === null || bytes.length === 0 || (input.onlyUtf8 && !isUtf8(bytes))) return false;
    const found = scanner.push(decodeBytes(bytes, charset));
    for (const row of found) head.push(row);
    start += bytes.length;
    line = scanner.restsAt();
    // A step that ended inside a row is followed by a small one; otherwise the head of a file whose rows have many lines would grow long.
    step = line === null && found.length > 0 ? least : Math.min(step * 2, LONGEST_STEP);
  }
  // Behind an unclosed quote there may be tens of thousands of rows, which kernels read sooner.
  const enough = head.length > MOST_HEAD_ROWS ? enoughOf(head, headRows) : head.length;
  const rest = head[enough];
  const restAt = rest === undefined ? null : lineStart(handle.fd, first, rest.line - (input.scan.line ?? 1));
  if (rest !== undefined && restAt !== null) {
    [start, line] = [restAt, rest.line];
    head.length = enough;
  }
  parseRows(reading, head);
  if (reading.check === null || reading.reason !== null) return false;
  const file: FastFile = {
    ...input,
    source: handle.fd,
    start,
    line,
    rows: (await rows?.lend()) ?? null,
    issues: (await issues?.lend()) ?? null,
    reread: scanner.reread(),
    parts,
  };
  await using own = input.pool === null ? openPool(input.size - start, input.sizes) : null;
  const ends = await readFast(file, reading, { pool: own ?? input.pool!, signal: input.signal });
  if (ends === null) return false;
  await rows?.giveBack(ends.rowBytes);
  await issues?.giveBack(ends.issueBytes);
  return true;
}
