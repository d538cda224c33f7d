import { stringify } from 'csv-stringify/sync';
import { partNamer, type Named, type ReportInput, type StoredIssue, type StoredRejection } from './input.ts';

const FACTS = ['kind', 'code', 'severity', 'sheet', 'line', 'file', 'brand', 'oem', 'column', 'value', 'message'];

type Cell = string | number | null;

/** Rows that are formatted at a time. */
const BATCH = 500;

/**
 * The CSV of every issue and every rejection, in pieces: what was found and where, then the cells of the row, named
 * `original COLUMN`. Cells beyond the known columns share the last one. UTF-8 with BOM, CRLF; a cell that a spreadsheet
 * would run as a formula gets an apostrophe in front.
 */
export async function* csvReport(input: ReportInput, delimiter = ','): AsyncGenerator<string> {
  const names = [...new Set([...input.columns.issues, ...input.columns.rejections])];
  const header = [...FACTS, ...names.map((name) => `original ${name}`), 'original further cells'];
  yield `\uFEFF${format([header], delimiter)}`;
  let batch: Cell[][] = [];
  for await (const row of rows(input, names)) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield format(batch, delimiter);
    batch = [];
  }
  if (batch.length > 0) yield format(batch, delimiter);
}

async function* rows(input: ReportInput, names: string[]): AsyncGenerator<Cell[]> {
  const { issues, rejections } = input.columns;
  const { file } = input;
  const placeIssue = placer(issues, names);
  const partOf = partNamer(issues);
  for await (const issue of input.issues())
    yield [...issueFacts(issue, partOf(issue), file), ...placeIssue(issue.cells ?? [])];
  const placeRejection = placer(rejections, names);
  for await (const one of input.rejections()) yield [...rejectionFacts(one), ...placeRejection(one.cells ?? [])];
  for (const message of input.unreadable)
    yield ['unreadable', null, 'error', null, null, file, null, null, null, null, message, ...placeIssue([])];
}

function issueFacts(issue: StoredIssue, { brand, oem }: Named, file: string | null): Cell[] {
  const { code, severity, file: its = file, sheet = null, line, column, value, message } = issue;
  return ['issue', code, severity, sheet, line, its, brand, oem, column, value, message];
}

function rejectionFacts({ code, sheet, line, file, brand, oem, message }: StoredRejection): Cell[] {
  return ['rejection', code, 'error', sheet, line, file, brand, oem, null, null, message];
}

/** Puts cells under their names; what has no name goes into the last column. */
function placer(from: string[], names: string[]): (cells: string[]) => Cell[] {
  const sources = names.map((name) => from.indexOf(name));
  return (cells) => [...sources.map((at) => cells[at] ?? null), cells.slice(from.length).join(' | ')];
}

function format(cells: Cell[][], delimiter: string): string {
  // By itself it quotes a cell for CRLF only, and a lone line feed in one would begin a row of the supplier's making.
  return stringify(cells, { delimiter, record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ });
}
