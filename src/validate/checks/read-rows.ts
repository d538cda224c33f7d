import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Detection, EarlierHeader, Issue, LocalCounts } from '../../model.ts';
import type { PartSet } from '../../parts/part-set.ts';
import type { TextWriter } from '../../io/text-writer.ts';
import { createIssue } from '../issues/catalogue.ts';
import { createRowCheck, isBlank, scanIssue, type RowCheck } from './check-row.ts';
import { mapHeader, mapPositions, structureIssues, type ColumnMap } from './header.ts';
import type { IssueLog } from '../issues/issue-log.ts';
import type { ScannedRow } from '../scan/scan-rows.ts';

/** The state of reading a file. */
export type Reading = {
  settings: ReadSettings;
  detection: Detection;
  /** The columns of the live delivery. */
  earlierHeader: EarlierHeader | null;
  parts: PartSet;
  rows: Pick<TextWriter, 'write'>;
  issues: IssueLog;
  counts: LocalCounts;
  /** Null until the first row is read. */
  map: ColumnMap | null;
  check: RowCheck | null;
  /** Why the whole file is rejected; nothing more needs to be read then. */
  reason: string | null;
};

/** Rows that were never meant to be offers: they are not uploaded, but do not reject the file. */
const NO_OFFERS = new Set(['footer', 'repeated-header']);
/** A file without a header is as wide as most of this many first rows. */
const WIDTH_SAMPLE = 100;

/** Checks the next rows of the file, until it is rejected as a whole. */
export function parseRows(reading: Reading, rows: ScannedRow[]): void {
  const first = reading.check === null ? rows.findIndex((row) => !isBlank(row)) : 0;
  if (first === -1) return;
  const skip = reading.check === null && reading.detection.header ? first + 1 : first;
  reading.check ??= openTable(reading, rows.slice(first));
  for (let at = skip; at < rows.length && reading.reason === null; at += 1) parseRow(reading, reading.check, rows[at]!);
}

/** Ends a file; one without accepted rows is rejected. */
export function endRows(reading: Reading): void {
  const { counts, detection, issues } = reading;
  if (reading.map === null) issues.begin([]);
  if (reading.reason !== null || counts.accepted > 0) return;
  if (counts.read > 0) {
    reading.reason = allRejected(counts.read, issues.counts);
  } else if (reading.map === null) {
    rejectFile(reading, [createIssue('file-empty', { line: null }, {})]);
  } else {
    rejectFile(reading, [createIssue('no-rows', { line: detection.headerLine }, {})]);
  }
}

/** Finds the columns in the first row, or by position when there is no header. */
function openTable(reading: Reading, rows: ScannedRow[]): RowCheck {
  const { settings, detection, parts } = reading;
  const [first] = rows as [ScannedRow];
  // A header of several rows has its names in all of them, which detection joined.
  const names = detection.columns.length > 0 ? detection.columns : first.cells;
  const map = detection.header
    ? mapHeader(settings.columns, names, first.line, detection.mapping)
    : mapPositions(settings.columns, usualWidth(rows.slice(0, WIDTH_SAMPLE)), first.line, detection.mapping);
  reading.map = map;
  reading.issues.begin(map.names);
  const damage = detection.header ? scanIssue(first, detection.delimiter, settings.limits.rowLength) : null;
  const changed = structureIssues(reading.earlierHeader, detection, first.line);
  const found = [...(damage === null ? [] : [damage]), ...map.issues, ...changed];
  if (found.some((issue) => issue.severity === 'error')) rejectFile(reading, found);
  else for (const issue of found) reading.issues.add(issue);
  return createRowCheck(settings, { map, charset: detection.charset, delimiter: detection.delimiter, parts });
}

function usualWidth(rows: ScannedRow[]): number {
  const widths = new Map<number, number>();
  for (const { cells, problem } of rows) {
    if (problem === null) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  }
  const [usual] = [...widths].sort((a, b) => b[1] - a[1]);
  return usual?.[0] ?? 1;
}

/** Checks one row below the header, and writes it if it is accepted. */
export function parseRow(reading: Reading, check: RowCheck, row: ScannedRow): void {
  const { counts, issues, rows, settings } = reading;
  const { fate, cells, issues: found } = check(row);
  if (fate === 'blank') return;
  counts.read += 1;
  for (const issue of found) issues.add(issue, row.cells);
  if (fate === 'accepted') {
    counts.accepted += 1;
    rows.write(`${row.line}\t${cells.join('\t')}\n`);
  } else if (fate === 'duplicate') {
    counts.duplicates += 1;
  } else {
    counts.rejectedLocally += 1;
    if (settings.onBadRow === 'reject-file') {
      const error = found.find(({ severity, code }) => severity === 'error' && !NO_OFFERS.has(code));
      if (error === undefined) return;
      reading.reason = `Line ${row.line}: ${error.message} One bad row rejects this whole file (onBadRow: reject-file).`;
    }
  }
}

function rejectFile(reading: Reading, found: Issue[]): void {
  for (const issue of found) reading.issues.add(issue);
  const errors = found.filter((issue) => issue.severity === 'error');
  reading.reason = errors.map((issue) => issue.message).join(' ');
}

function allRejected(rows: number, counts: Record<string, number>): string {
  const [most] = Object.entries(counts).sort((a, b) => b[1] - a[1]);
  return `All ${rows} rows were rejected; most often: ${most?.[0]} (${most?.[1]}).`;
}
