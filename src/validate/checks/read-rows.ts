import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Detection, EarlierHeader, Issue, CountedRows } from '../../model.ts';
import type { PartSet } from '../../parts/part-set.ts';
import type { TextWriter } from '../../io/text-writer.ts';
import { createIssue } from '../issues/create-issue.ts';
import { isBlankCell, shapeOf } from './lone-cell.ts';
import { breakRun, extendRun, logSkipped, unskipLoneCells, type LoneRun, type SkipLog } from './skipped-rows.ts';
import {
  createRowCheck,
  isBlank,
  type CheckedRow,
  type KnownParts,
  type OnRuledRow,
  type RowCheck,
} from './check-row.ts';
import { scanIssue } from './row-issues.ts';
import { mapHeader, mapPositions, structureIssues, type ColumnMap } from '../header/header.ts';
import { noteLine, type FileTally } from '../files/count-files.ts';
import { fileIssues } from '../files/file-issues.ts';
import { broughtCells, withoutBrought, writtenAsIn } from '../files/joined-columns.ts';
import { ruleIssues } from '../rules/rule-issues.ts';
import { ruleAccount, type RuleCounts } from '../rules/row-rules.ts';
import { unwrapIssues } from '../issues/unwrap-issues.ts';
import { checkRowsOfTables } from './rows-of-tables.ts';
import type { IssueLog } from '../issues/issue-log.ts';
import type { ScannedRow } from '../scan/scan-rows.ts';
import { placeIn, placeWords } from '../../wording/files/place.ts';
import { MOST_COLUMNS } from '../../tables/table-file.ts';

/** The state of reading a file. */
export type Reading = {
  settings: ReadSettings;
  detection: Detection;
  /** The columns of the live delivery. */
  earlierHeader: EarlierHeader | null;
  parts: PartSet;
  rows: Pick<TextWriter, 'write'>;
  issues: IssueLog;
  counts: CountedRows;
  /** What was counted before each of several files; null for one. */
  files: FileTally | null;
  /** Lone cells that were skipped as headings and count as read, because there are too many of them. */
  unskipped: number;
  skipped: SkipLog;
  /** How often each kind was taken off the values of each column, see `unwrapCells`. */
  unwrapped: number[];
  /** What rules did, see `RuleCounts`. */
  ruled: RuleCounts;
  run: LoneRun;
  /** Null until the first row is read. */
  map: ColumnMap | null;
  check: RowCheck | null;
  /** Whether a text is the name of a known maker; only asked where brands stand in headings. */
  isMaker?: ((text: string) => boolean) | undefined;
  onRule?: OnRuledRow | undefined;
  /** Why the whole file is rejected; nothing more needs to be read then. */
  reason: string | null;
};

/** From so many rows on changes of which none is right are no changes. */
const MANY_REJECTED = 20;

/** Marks a row of changes that takes its part away; those that set it have no mark. */
const REMOVES = '-';

const ONE_BAD_ROW = 'One bad row rejects this whole file (onBadRow: reject-file).';
/** A file without a header is as wide as most of this many first rows, which also show whether rows have more cells than one. */
export const TABLE_SAMPLE = 60;

/** How many rows show what the table of a file is like, of which `hasBegun` says whether it began before them. */
export function countSample(rows: ScannedRow[], hasBegun: boolean): number {
  const first = hasBegun ? 0 : beginningOf(rows);
  return first === -1 ? 0 : rows.slice(first).reduce((sum, row) => sum + weightOf(row), 0);
}

/** A row with more cells than a table has columns counts as several: that many of them are never in memory together. */
function weightOf(row: ScannedRow): number {
  return isNoGap(row) ? Math.max(1, Math.ceil(row.cells.length / MOST_COLUMNS)) : 0;
}

/** The rows that show what the table is like, of those with which it begins. */
function sampleOf(rows: ScannedRow[]): ScannedRow[] {
  let weight = 0;
  return rows.filter((row) => {
    if (weight >= TABLE_SAMPLE) return false;
    weight += weightOf(row);
    return isNoGap(row);
  });
}

/** Where the first row is that is one; -1 when there is none. */
function beginningOf(rows: ScannedRow[]): number {
  return rows.findIndex((row) => isNoGap(row) && !isBlank(row));
}

function isNoGap({ gap }: ScannedRow): boolean {
  return gap === undefined;
}

/** Checks the next rows of the file, until it is rejected as a whole; where its table begins, they are `TABLE_SAMPLE` or all. */
export function parseRows(reading: Reading, rows: ScannedRow[]): void {
  let next = 0;
  if (reading.check === null) {
    const found = beginningOf(rows);
    const first = found === -1 ? rows.length : found;
    for (const row of rows.slice(0, first)) skipGap(reading, row);
    if (found === -1) return;
    reading.check = openTable(reading, rows.slice(first));
    next = reading.detection.header ? first + 1 : first;
  }
  for (let at = next; at < rows.length && reading.reason === null; at += 1) parseRow(reading, reading.check, rows[at]!);
}

/** Counts what is above the first row. */
function skipGap(reading: Reading, row: ScannedRow): void {
  const { skipped, counts, detection } = reading;
  noteFile(reading, row);
  const { delimiter } = detection;
  const cells = delimiter === null ? row.cells : row.cells.flatMap((cell) => cell.split(delimiter));
  logSkipped(skipped, counts, { kind: isBlank({ ...row, cells }) ? 'blank' : 'preamble', row, table: detection });
}

/** Counts the rows of each of several files. */
function noteFile({ files, counts, skipped }: Reading, { line }: ScannedRow): void {
  noteLine(files, line, counts, skipped['lone-cell']?.rows ?? 0);
}

/** Ends a file; one without accepted rows is rejected. */
export function endRows(reading: Reading): void {
  const { counts, detection, issues, settings } = reading;
  if (reading.map === null) issues.begin([]);
  for (const what of detection.passedOver) issues.add(createIssue('bytes-passed-over', { line: null }, { what }));
  for (const issue of fileIssues(detection)) issues.add(issue);
  if (mayBeCut(reading)) issues.add(createIssue('last-line-open', { line: null }, {}));
  const { columns } = settings;
  const found = { columns, places: reading.map?.places ?? [], detection };
  for (const issue of unwrapIssues(reading.unwrapped, found)) issues.add(issue);
  for (const issue of ruleIssues(ruleAccount(reading.ruled, settings))) issues.add(issue);
  if (reading.reason === null) {
    const lone = unskipLoneCells(reading.skipped, counts);
    reading.unskipped = lone;
    if (lone > 0) {
      const issue = createIssue('mostly-skipped', { line: null }, { count: lone, rows: counts.read - lone });
      issues.add(issue);
      if (settings.onBadRow === 'reject-file') reading.reason = `${issue.message} ${ONE_BAD_ROW}`;
    }
  }
  if (reading.reason !== null || counts.accepted + counts.leftOut > 0) return;
  // Nothing may have changed, and a few rows with mistakes change nothing.
  if (settings.changes !== undefined && reading.map !== null && counts.rejectedLocally < MANY_REJECTED) return;
  if (counts.read > 0) {
    reading.reason = allRejected(counts.read, issues.counts);
  } else if (reading.map === null) {
    rejectFile(reading, [createIssue('file-empty', { line: null }, {})]);
  } else {
    rejectFile(reading, [createIssue('no-rows', { line: detection.headerLine }, {})]);
  }
}

/** Whether the last line has no end and ends with the article number: a shorter row than the others is rejected anyway. */
function mayBeCut({ detection, counts, map }: Reading): boolean {
  const number = detection.mapping.find(({ key }) => key === 'oem');
  const { openEnd, width } = detection.joined?.written ?? detection;
  return map !== null && openEnd === true && counts.read > 1 && number?.position === width;
}

/** Finds the columns in the first row, or by position when there is no header. */
function openTable(reading: Reading, rows: ScannedRow[]): RowCheck {
  const { settings, detection, parts } = reading;
  const [first] = rows as [ScannedRow];
  // A header of several rows has its names in all of them, which detection joined.
  const names = detection.columns.length > 0 ? detection.columns : first.cells;
  const sample = sampleOf(rows);
  const places = detection.header
    ? mapHeader(settings.columns, names, first.line, detection.mapping)
    : mapPositions(settings.columns, usualWidth(sample), first.line, detection.mapping);
  const brought = { broughtCells: broughtCells(detection), mostCells: places.mostCells };
  const body = (detection.header ? sample.slice(1) : sample).map((row) => withoutBrought(row, brought));
  const oemPlace = places.places[settings.columns.findIndex(({ key }) => key === 'oem')] ?? null;
  const map = {
    ...places,
    broughtCells: brought.broughtCells,
    writtenAs: writtenAsIn(detection, places.places),
    hasFullerRows: hasFullerRows(body),
    numberShapes: numberShapes(body, oemPlace),
  };
  reading.map = map;
  reading.issues.begin(map.names);
  // A line that could not be cut may be the header that detection did not find.
  const isHead = detection.header || map.issues.some((issue) => issue.severity === 'error');
  const damage = isHead ? scanIssue(first, detection.delimiter, settings.limits.rowLength) : null;
  const changed = structureIssues(reading.earlierHeader, detection, first.line);
  const found = [...(damage === null ? [] : [damage]), ...map.issues, ...changed];
  if (found.some((issue) => issue.severity === 'error')) rejectFile(reading, found);
  else for (const issue of found) reading.issues.add(issue);
  const { charset, delimiter, habits, wraps, parts: tables } = detection;
  const create = (known: KnownParts) =>
    createRowCheck(settings, {
      map,
      habits,
      wraps,
      charset,
      delimiter,
      parts: known,
      isMaker: reading.isMaker,
      ruled: reading.ruled,
      onRule: reading.onRule,
    });
  return tables.length > 1 ? checkRowsOfTables(tables, parts, create) : create(parts);
}

function usualWidth(rows: ScannedRow[]): number {
  const widths = new Map<number, number>();
  for (const { cells, problem } of rows) {
    if (problem === null) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  }
  const [usual] = [...widths].sort((a, b) => b[1] - a[1]);
  return usual?.[0] ?? 1;
}

/** Whether some rows have several filled cells; also where there are none. */
function hasFullerRows(rows: ScannedRow[]): boolean {
  const filled = rows
    .map(({ cells }) => cells.filter((cell) => !isBlankCell(cell)).length)
    .filter((count) => count > 0);
  return filled.length === 0 || filled.some((count) => count > 1);
}

/** How the numbers of rows with several filled cells are written, where these are at least as many as those with a single one. */
function numberShapes(rows: ScannedRow[], oemPlace: number | null): string[] | null {
  if (oemPlace === null) return null;
  const filled = rows.map(({ cells }) => cells.filter((cell) => !isBlankCell(cell)).length);
  const fuller = rows.filter((_, at) => filled[at]! > 1);
  if (fuller.length === 0 || filled.filter((count) => count === 1).length > fuller.length) return null;
  return [...new Set(fuller.map(({ cells }) => shapeOf(cells[oemPlace] ?? '')))];
}

/** Checks one row below the header, and writes it if it is accepted. */
export function parseRow(reading: Reading, check: RowCheck, row: ScannedRow): void {
  // The table of another file begins.
  if (row.gap === 'above') return skipGap(reading, row);
  noteFile(reading, row);
  const { skipped, counts, detection, run } = reading;
  const checked = check(row);
  const { kind } = checked;
  if (kind !== null && extendRun(run, row, kind)) {
    return logSkipped(skipped, counts, { kind, row, table: detection });
  }
  counts.read += 1;
  for (const at of checked.unwrapped) reading.unwrapped[at] = (reading.unwrapped[at] ?? 0) + 1;
  // Of several numbers those that were there before are named last: in a large file they are known last.
  const repeated: Issue[] = [];
  keepRow(reading, row, { ...checked, issues: withoutRepeated(checked.issues, repeated) });
  // What is wrong with a row beside its numbers is wrong with all of them.
  const isLost = kind !== null || (checked.fate === 'rejected' && checked.issues.some(isOfRow));
  for (const number of isLost ? [] : checked.otherNumbers) {
    if (reading.reason !== null) break;
    counts.expanded += 1;
    const next = check(row, number);
    const issues = withoutRepeated(next.issues, repeated).filter((issue) => !isRemark(issue));
    keepRow(reading, row, { ...next, issues });
  }
  for (const issue of repeated) reading.issues.add(issue, row.cells);
}

/** The issues of a row without that of a repeated part, which goes to the others. */
function withoutRepeated(issues: Issue[], repeated: Issue[]): Issue[] {
  if (!issues.some(isRepeated)) return issues;
  repeated.push(...issues.filter(isRepeated));
  return issues.filter((issue) => !isRepeated(issue));
}

function isRepeated({ code }: Issue): boolean {
  return code === 'duplicate';
}

/** What costs the whole row, whatever its number is. */
function isOfRow({ severity, column }: Issue): boolean {
  return severity === 'error' && column !== 'oem';
}

/** What the first number of its row has said already: it is about another column. */
function isRemark({ column }: Issue): boolean {
  return column !== null && column !== 'oem';
}

/** Writes a row if it is accepted, and its issues with the cells that the supplier wrote. */
function keepRow(reading: Reading, row: ScannedRow, { fate, kind, cells, issues: found }: CheckedRow): void {
  const { counts, issues, rows, settings, run } = reading;
  for (const issue of found) issues.add(issue, row.cells);
  if (fate === 'accepted') {
    counts.accepted += 1;
    const mark = settings.changes === undefined ? '' : '\t';
    rows.write(`${row.line}\t${cells.join('\t')}${mark}\n`);
  } else if (fate === 'duplicate') {
    counts.duplicates += 1;
  } else if (fate === 'leftOut') {
    counts.leftOut += 1;
    if (settings.changes !== undefined) rows.write(`${row.line}\t${cells.join('\t')}\t${REMOVES}\n`);
  } else {
    counts.rejectedLocally += 1;
    const header = found.find(({ code }) => code === 'other-header');
    if (header !== undefined) {
      reading.reason = header.message;
      return;
    }
    if (kind === null && isCut(row, found)) breakRun(run, row.lastLine);
    if (settings.onBadRow === 'reject-file') {
      const error = found.find(({ severity }) => severity === 'error');
      if (error === undefined) return;
      reading.reason = `${lineInWords(row, reading)}: ${error.message} ${ONE_BAD_ROW}`;
    }
  }
}

function lineInWords({ line }: ScannedRow, { detection: { files, parts } }: Reading): string {
  return files === undefined ? `Line ${line}` : placeWords(placeIn(parts, line));
}

/** Whether the next line may hold the rest of a rejected row: it has more than one cell, but not as many as it should. */
function isCut({ cells, problem }: ScannedRow, found: Issue[]): boolean {
  if (problem !== null) return true;
  if (!found.some(({ code }) => code === 'wrong-cell-count')) return false;
  return cells.filter((cell) => !isBlankCell(cell)).length > 1;
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
