import type { SampleReading } from '../model.ts';
import { decodeBytes } from '../io/text-decode.ts';
import type { Scan } from './charset/scan.ts';
import { cutTable } from './table/table.ts';

/** One way to read a file. */
type Way = { charset: string; delimiter: string | null };

const ROWS = 3;
/** Longer cells and rows are cut. */
const CELL_LENGTH = 100;
const MOST_CELLS = 20;

/**
 * Reads the same three rows in each of the ways, from `firstLine` on; prefers rows in which the ways differ, wherever in the
 * file they are. Pure.
 */
export function sampleReadings(scan: Scan, ways: Way[], firstLine: number): SampleReading[] {
  if (ways.length === 0) return [];
  const head = readLines(scan.head, ways, scan.head.length === scan.bytes);
  const differing = rowsOf(head, firstLine).filter(({ differ }) => differ);
  const elsewhere = differing.length > 0 ? [] : rowsOf(readLines(scan.places[0] ?? Buffer.alloc(0), ways, false), null);
  const chosen = differing.concat(elsewhere.filter(({ differ }) => differ));
  const others = rowsOf(head, firstLine).filter(({ differ }) => !differ);
  const rows = [...chosen.slice(0, ROWS), ...others.slice(0, Math.max(0, ROWS - chosen.length))];
  rows.sort((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity));
  return ways.map((way, at) => ({ ...way, rows: rows.map(({ line, cells }) => ({ line, cells: cells[at]! })) }));
}

type SampledRow = { line: number | null; cells: string[][]; differ: boolean };

/** The rows that are not empty: their cells in each of the ways. `firstLine`: null when lines have no number. */
function rowsOf(lines: string[][][], firstLine: number | null): SampledRow[] {
  return lines.flatMap((cells, index) => {
    const isEmpty = cells.every((row) => row.every((cell) => cell === ''));
    const line = firstLine === null ? null : index + 1;
    if (isEmpty || (firstLine !== null && index + 1 < firstLine)) return [];
    return [{ line, cells, differ: new Set(cells.map((row) => JSON.stringify(row))).size > 1 }];
  });
}

/** The lines of some bytes: for each line the cells in each of the ways. A line that is cut off is left out. */
function readLines(bytes: Buffer, ways: Way[], isWhole: boolean): string[][][] {
  const readings = ways.map(({ charset }) => decodeBytes(bytes, charset).split(/\r\r\n|\r\n|\n|\r/));
  const lines = Math.min(...readings.map(({ length }) => length)) - (isWhole ? 0 : 1);
  return Array.from({ length: Math.max(0, lines) }, (_, at) =>
    ways.map(({ delimiter }, way) => cellsOf(readings[way]![at]!, delimiter)),
  );
}

function cellsOf(line: string, delimiter: string | null): string[] {
  const [row] = cutTable(line.replace(/^\uFEFF/, ''), { delimiter, quote: '"', escape: '"' }, 1).rows;
  return (row?.cells ?? []).slice(0, MOST_CELLS).map(({ text }) => text.trim().slice(0, CELL_LENGTH).toWellFormed());
}
