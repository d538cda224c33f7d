import type { Issue } from '../../model.ts';

/** A line of an issues file: an issue with the cells of its row as the supplier wrote them. */
export type IssueRecord = Issue & { cells?: string[] };

/** How issues are written: JSON Lines of `IssueRecord`, a CSV for people, or not at all. */
export type IssuesLayout = 'json' | 'csv' | null;

/** An issue as a line of an issues file; `ofFiles`: the delivery has several files, and a CSV says which. */
export function issueLine(record: IssueRecord, layout: 'json' | 'csv', names: string[], ofFiles = false): string {
  return layout === 'csv' ? issueCsvLine(record, names, ofFiles) : `${JSON.stringify(record)}\n`;
}

const FACTS = ['code', 'severity', 'sheet', 'line', 'column', 'value', 'message'] as const;

/**
 * The first line of the CSV of `check --issues`: the facts of an issue, then the cells of its row as the supplier wrote
 * them, under `original NAME`; cells beyond the names share the last column.
 */
export function issueCsvHead(names: string[], ofFiles = false): string {
  return formatRow([
    ...(ofFiles ? ['file'] : []),
    ...FACTS,
    ...names.map((name) => `original ${name}`),
    'original further cells',
  ]);
}

/**
 * The CSV line of an issue, below a head with the same names; built cell by cell, because every row may have one.
 * @internal exported for tests
 */
export function issueCsvLine(issue: IssueRecord, names: string[], ofFiles = false): string {
  const cells = issue.cells ?? [];
  let text = ofFiles ? `${formatCell(issue.file)},` : '';
  for (const fact of FACTS) text += `${formatCell(issue[fact])},`;
  for (let at = 0; at < names.length; at += 1) text += `${formatCell(cells[at])},`;
  return `${text}${cells.length > names.length ? formatCell(cells.slice(names.length).join(' | ')) : ''}\n`;
}

function formatRow(cells: unknown[]): string {
  return `${cells.map(formatCell).join(',')}\n`;
}

/** What a spreadsheet would run as a formula, also in the wide forms of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const SPECIAL = /[",\n\r]/;
/** Most cells are neither and are written as they are. */
const FORMULA_OR_SPECIAL = new RegExp(`${FORMULA.source}|${SPECIAL.source}`);

/**
 * Writes what csv-stringify would (a test compares them) in a fifth of the time, which matters when every row is bad.
 * @internal exported for tests
 */
export function formatCell(cell: unknown): string {
  if (typeof cell !== 'string') return typeof cell === 'number' ? String(cell) : '';
  if (!FORMULA_OR_SPECIAL.test(cell)) return cell;
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return SPECIAL.test(cell) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
