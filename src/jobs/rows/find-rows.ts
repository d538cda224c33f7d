import { lineBatches } from '../../archive/lines.ts';
import type { Context } from '../../context.ts';
import { LineSet } from '../../io/line-set.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { createPager, type Page, type Pager } from './paging.ts';
import type { FoundRow, FoundRows, RowVerdict } from './run-rows.ts';
import { searchedIn, type Matcher } from './search.ts';
import { refusalOf, rejectionsOfRun, rowIssues } from './stored.ts';

/** Where rows are looked for, and which of them. `expected`: how many there are when it is known; then the search ends with the page. */
export type Search = { run: RunRow; matches: Matcher | null; page: Page; expected: number | null; notes: Set<string> };

/** What became of a row that was not accepted. */
type LocalVerdict = 'rejectedLocally' | 'duplicate' | 'leftOut';

/** Issues that say what became of their row without being mistakes. */
const LOCAL: Partial<Record<string, LocalVerdict>> = {
  duplicate: 'duplicate',
  'changed-again': 'duplicate',
  'left-out': 'leftOut',
  'row-removes': 'leftOut',
};

/** Accepted rows by what became of them, in the order of the file. Throws `archive` when their file is damaged. */
export async function findAccepted(
  search: Search,
  verdictOf: (line: number) => RowVerdict,
  isWanted: (verdict: RowVerdict) => boolean,
  ctx: Context,
): Promise<FoundRows> {
  const pager = createPager<FoundRow>(search.page);
  for await (const rows of acceptedLines(search, ctx)) {
    for (const { line, text } of rows) {
      const verdict = verdictOf(line);
      if (isWanted(verdict)) pager.take(() => ({ line, verdict, cells: cellsOf(text) }));
    }
    if (search.expected !== null && pager.isFull) break;
  }
  return found(pager, search);
}

/** Rows that were rejected here, repeat others, or were left out by rules, in the order in which they were found. */
export async function findLocal(search: Search, wanted: LocalVerdict, ctx: Context): Promise<FoundRows> {
  const pager = createPager<FoundRow>(search.page);
  const seen = new LineSet();
  for await (const { line, verdict } of localLines(search, ctx)) {
    if (verdict !== wanted || seen.has(line)) continue;
    seen.add(line);
    pager.take(() => ({ line, verdict, cells: null }));
  }
  return { rows: pager.rows, matches: pager.count };
}

/** All rows of a file that were read, by line. Throws `archive` when the file of the accepted ones is damaged. */
export async function findRead(
  search: Search,
  verdictOf: (line: number) => RowVerdict,
  ctx: Context,
): Promise<FoundRows> {
  const pager = createPager<FoundRow>(search.page);
  const [local, duplicates, leftOut] = [new LineSet(), new LineSet(), new LineSet()];
  for await (const { line, verdict } of localLines(search, ctx)) {
    local.add(line);
    if (verdict === 'duplicate') duplicates.add(line);
    else if (verdict === 'leftOut') leftOut.add(line);
  }
  let next = local.next(0);
  const takeLocal = (before: number) => {
    for (; next !== null && next < before; next = local.next(next + 1)) {
      const line = next;
      const verdict = duplicates.has(line) ? 'duplicate' : leftOut.has(line) ? 'leftOut' : 'rejectedLocally';
      pager.take(() => ({ line, verdict, cells: null }));
    }
  };
  // Rows that changes leave as they were are of earlier deliveries.
  const end = search.run.detection?.parts.find(({ of }) => of !== undefined)?.line ?? Infinity;
  for await (const rows of acceptedLines(search, ctx)) {
    for (const { line, text } of rows) {
      if (line >= end) break;
      takeLocal(line);
      pager.take(() => ({ line, verdict: verdictOf(line), cells: cellsOf(text) }));
    }
    if (search.expected !== null && pager.isFull) break;
  }
  takeLocal(Infinity);
  return found(pager, search);
}

/** What the service rejected and nobody can tell which row it is. */
export async function findUntraced({ run, matches, page, notes }: Search, ctx: Context): Promise<FoundRows> {
  const pager = createPager<FoundRow>(page);
  const searched = searchedIn(run.columns ?? []);
  for await (const rejection of rejectionsOfRun(run, ctx, notes)) {
    const { match, cells } = rejection;
    if (match === 'exact' || matches?.(searched(cells)) === false) continue;
    pager.take(() => ({ line: null, verdict: 'unexplained', cells, reasons: [refusalOf(rejection)] }));
  }
  return { rows: pager.rows, matches: pager.count };
}

/** The lines of all rows of a file that were read. Throws `archive` when the file of the accepted ones is damaged. */
export async function linesRead(search: Search, ctx: Context): Promise<LineSet> {
  const lines = new LineSet();
  const all = { ...search, matches: null };
  for await (const { line } of localLines(all, ctx)) lines.add(line);
  for await (const rows of acceptedLines(all, ctx)) for (const { line } of rows) lines.add(line);
  return lines;
}

function found({ rows, count }: Pager<FoundRow>, { expected }: Search): FoundRows {
  return { rows, matches: expected ?? count };
}

type AcceptedLine = { line: number; text: string };

/** Accepted rows that fit the search, in batches; their cells are cut only where they are looked at. */
async function* acceptedLines({ run, matches }: Search, { archive }: Context): AsyncGenerator<AcceptedLine[]> {
  if (run.rows_sha === null) return;
  const searched = searchedIn(run.columns ?? []);
  for await (const lines of lineBatches(archive.file(run.rows_sha))) {
    const fitting = matches === null ? lines : lines.filter((text) => matches(searched(cellsOf(text))));
    yield fitting.map((text) => ({ line: Number(text.slice(0, text.indexOf('\t'))), text }));
  }
}

function cellsOf(text: string): string[] {
  return text.split('\t').slice(1);
}

/** Rows with an issue that cost them, once for each such issue. */
async function* localLines(
  { run, matches, notes }: Search,
  ctx: Context,
): AsyncGenerator<{ line: number; verdict: LocalVerdict }> {
  const searched = searchedIn(run.cell_names ?? []);
  for await (const { at, issue, cells } of rowIssues(run, ctx, notes)) {
    const known = LOCAL[issue.code];
    if (known === undefined && issue.severity !== 'error') continue;
    if (matches?.(searched(cells)) === false) continue;
    yield { line: at, verdict: known ?? 'rejectedLocally' };
  }
}
