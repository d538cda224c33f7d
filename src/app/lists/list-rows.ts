import { stat } from 'node:fs/promises';
import type { DateFile, ValueFile } from '../../config/brands/lists.ts';
import { READING_DEFAULTS } from '../../config/schema/defaults.ts';
import { daysOf, readRange } from '../../config/schema/expect/dates.ts';
import { detect } from '../../detect/detect.ts';
import { byteKind } from '../../io/byte-kind.ts';
import { readBeginning } from '../../io/read-pieces.ts';
import { OfferlineError } from '../../errors.ts';
import { cleanCell } from '../../validate/checks/clean-cell.ts';
import { scanIssue } from '../../validate/checks/row-issues.ts';
import { scanFile, sourceOf } from '../../validate/scan/scan-file.ts';

/** A line of a list with its cleaned cells, and as it is written; `problem`: why it cannot be cut into cells. */
export type ListRow = { line: number; cells: string[]; text: string; problem: string | null };

/** A list of brands is a few megabytes long. */
const MOST_BYTES = 64 * 1024 * 1024;
const HEAD = 4096;

/** The lines of a CSV file that are not blank, read as suppliers' files are: charset, delimiter and quotes are found. */
export async function* listRows(path: string): AsyncGenerator<ListRow[]> {
  const { size } = await stat(path);
  if (size === 0) return;
  if (size > MOST_BYTES) throw unreadable('it is larger than 64 MB, which no list of brands or values is');
  if (byteKind(readBeginning(path, HEAD)).kind === 'binary') throw unreadable('it is no text; save it as CSV');
  const detection = await detect(path, { header: false });
  const scanned = { path, detection: { ...detection, header: false, headerLine: 1 }, settings: READING_DEFAULTS };
  for await (const rows of scanFile(scanned, sourceOf(scanned))) {
    yield rows
      .filter(
        ({ gap, problem, cells }) =>
          gap === undefined && (problem !== null || cells.some((cell) => cell.trim() !== '')),
      )
      .map((row) => ({
        line: row.line,
        cells: row.cells.map((cell) => cleanCell(cell).text),
        text: row.cells.join(detection.delimiter ?? ''),
        problem: scanIssue(row, detection.delimiter, READING_DEFAULTS.limits.rowLength)?.message ?? null,
      }));
  }
}

/** Reads a file of values, one in each line. */
export async function readValues(path: string): Promise<ValueFile> {
  const file: ValueFile = { values: [], problems: [] };
  for await (const rows of listRows(path)) {
    for (const { line, cells, text, problem } of rows) {
      const [value, ...more] = cells.filter((cell) => cell !== '');
      if (problem !== null) file.problems.push({ line, message: problem });
      else if (value !== undefined && more.length === 0) file.values.push(value);
      else
        file.problems.push({
          line,
          message: `${JSON.stringify(text.slice(0, 80))} is several values; write one in each line`,
        });
    }
  }
  return file;
}

/** Reads a file of dates: in each line one, or the first and the last of several, and what else is said of it; a first line without a digit is a header. */
export async function readDates(path: string): Promise<DateFile> {
  const file: DateFile = { days: [], problems: [] };
  for await (const rows of listRows(path)) {
    for (const { line, cells, problem } of rows) {
      const isHeader = file.days.length + file.problems.length === 0 && /^\D+$/u.test(cells[0] ?? '');
      if (isHeader) continue;
      const range = problem ?? readRange(cells[0] ?? '');
      if (typeof range === 'string') file.problems.push({ line, message: range });
      else file.days.push(...daysOf(range));
    }
  }
  return file;
}

function unreadable(why: string): OfferlineError {
  return new OfferlineError('usage', why);
}
