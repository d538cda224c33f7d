import { jsonLines } from '../lines.ts';
import type { IssueRecord } from '../validate/issue-log.ts';

const FACTS = ['code', 'severity', 'line', 'column', 'value', 'message'] as const;

/** Rows that are formatted at a time. */
const BATCH = 500;

/**
 * The CSV of `check --issues`: every issue, then the cells of its row as the supplier wrote them, under `original NAME`;
 * cells beyond the names share the last column. A cell that a spreadsheet would run gets an apostrophe in front.
 */
export async function* issuesCsv(issuesPath: string | null, names: string[]): AsyncGenerator<string> {
  const originals = names.map((name) => `original ${name}`);
  yield format([[...FACTS, ...originals, 'original further cells']]);
  if (issuesPath === null) return;
  let batch: unknown[][] = [];
  for await (const issue of jsonLines<IssueRecord>(issuesPath)) {
    const cells = issue.cells ?? [];
    const named = names.map((_, index) => cells[index] ?? null);
    batch.push([...FACTS.map((fact) => issue[fact]), ...named, cells.slice(names.length).join(' | ')]);
    if (batch.length < BATCH) continue;
    yield format(batch);
    batch = [];
  }
  yield format(batch);
}

function format(rows: unknown[][]): string {
  return rows.map((cells) => `${cells.map(formatCell).join(',')}\n`).join('');
}

/** What a spreadsheet takes for a formula, also in the wide forms of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Writes what csv-stringify does (a test compares them) in a fifth of the time, which counts when every row is bad. */
export function formatCell(cell: unknown): string {
  if (typeof cell !== 'string') return typeof cell === 'number' ? String(cell) : '';
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\n\r]/.test(cell) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
