import { lineBatches } from '../../archive/lines.ts';
import type { Context } from '../../context.ts';
import { LineSet } from '../../io/line-set.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { createPager, type Page, type Pager } from './paging.ts';
import type { FoundRow, FoundRows, RowVerdict } from './run-rows.ts';
import { searchedIn, type Matcher } from './search.ts';
import { costOf, type LocalVerdict, refusalOf, rejectionsOfRun, rowIssues } from './stored.ts';

/** Where rows are looked for, and which of them. `expected`: how many there are when it is known; then the search ends with the page. */
export type Search = { run: RunRow; matches: Matcher | null; page: Page; expected: number | null; notes: Set<string> };

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
  for await (const { line, verdict, number } of localRows(search, ctx)) {
    if (verdict === wanted) pager.take(() => ({ line, verdict, number, cells: null }));
  }
  return { rows: pager.rows, matches: pager.count };
}

/**
 * All rows of a file that were read, by line, and of a cell with several numbers each of them. Throws `archive` when the file of the accepted
 * ones is damaged.
 */
export async function findRead(
  search: Search,
  verdictOf: (line: number) => RowVerdict,
  ctx: Context,
): Promise<FoundRows> {
  const pager = createPager<FoundRow>(search.page);
  const unnamed = new Map<string, FoundRow>();
  const local = byLine(await collectLocal(localRows(search, ctx)));
  let next = local.next();
  const takeLocal = (before: number) => {
    for (; next.done !== true && next.value.line < before; next = local.next()) {
      const { line, verdict, nth } = next.value;
      pager.take(() => {
        const row: FoundRow = { line, verdict, cells: null };
        if (nth !== null) unnamed.set(`${line} ${verdict} ${nth}`, row);
        return row;
      });
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
  await nameNumbers(unnamed, search, ctx);
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
  for await (const { line } of localRows(all, ctx)) lines.add(line);
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

/** A row that was not accepted, or one of the numbers of its cell. */
type LocalRow = { line: number; verdict: LocalVerdict; number: string | null };

/** Rows with an issue that cost them, each once, and of a cell with several numbers each that was lost alone. */
async function* localRows({ run, matches, notes }: Search, ctx: Context): AsyncGenerator<LocalRow> {
  const names = run.cell_names ?? [];
  const searched = searchedIn(names);
  const oemAt = names.indexOf('oem');
  const seen = new LineSet();
  let rejected: LocalRow[] = [];
  for await (const { at: line, issue, cells, number } of rowIssues(run, ctx, notes)) {
    const verdict = costOf(issue);
    if (verdict === null || seen.has(line)) continue;
    if (matches?.(searched(number === null ? cells : cells.with(oemAt, number))) === false) continue;
    const row = { line, verdict, number };
    if (verdict !== 'rejectedLocally') {
      if (number === null) seen.add(line);
      yield row;
      continue;
    }
    if (rejected[0]?.line !== line) {
      yield* rejected;
      rejected = [];
    }
    // What costs the whole row costs it once.
    if (number === null) {
      seen.add(line);
      rejected = [row];
    } else if (!rejected.some((one) => one.number === number)) rejected.push(row);
  }
  yield* rejected;
}

const LOCAL_VERDICTS = ['rejectedLocally', 'duplicate', 'leftOut'] as const satisfies LocalVerdict[];

/** Rows that were not accepted: lines by verdict, and for each number that was lost alone its line and verdict as one number, rising. */
type CollectedRows = { lines: LineSet[]; numbers: Float64Array };

/** Collects rows that were not accepted; memory grows by a bit for each line, and by some bytes for each number that was lost alone. */
async function collectLocal(rows: AsyncIterable<LocalRow>): Promise<CollectedRows> {
  const lines = LOCAL_VERDICTS.map(() => new LineSet());
  const numbers: number[] = [];
  for await (const { line, verdict, number } of rows) {
    const kind = LOCAL_VERDICTS.indexOf(verdict);
    if (number === null) lines[kind]!.add(line);
    else numbers.push(line * LOCAL_VERDICTS.length + kind);
  }
  return { lines, numbers: Float64Array.from(numbers).sort() };
}

/** The collected rows by line; `nth`: which of the numbers that a row lost with this verdict, null of a whole row. */
function* byLine({ lines, numbers }: CollectedRows) {
  const kinds = LOCAL_VERDICTS.length;
  const lineAt = (at: number) => (at < numbers.length ? Math.floor(numbers[at]! / kinds) : Infinity);
  let at = 0;
  const nextLine = (from: number) => Math.min(lineAt(at), ...lines.map((one) => one.next(from) ?? Infinity));
  for (let line = nextLine(0); line !== Infinity; line = nextLine(line + 1)) {
    for (const [kind, verdict] of LOCAL_VERDICTS.entries()) {
      if (lines[kind]!.has(line)) yield { line, verdict, nth: null };
    }
    for (let nth = 0; lineAt(at) === line; at += 1) {
      yield { line, verdict: LOCAL_VERDICTS[numbers[at]! % kinds]!, nth };
      nth = numbers[at + 1] === numbers[at] ? nth + 1 : 0;
    }
  }
}

/** Says which numbers those are that were found by line, verdict and place alone. */
async function nameNumbers(unnamed: ReadonlyMap<string, FoundRow>, search: Search, ctx: Context): Promise<void> {
  if (unnamed.size === 0) return;
  const wanted = new Set(Array.from(unnamed.values(), ({ line }) => line));
  const counts = new Map<string, number>();
  for await (const { line, verdict, number } of localRows(search, ctx)) {
    if (number === null || !wanted.has(line)) continue;
    const key = `${line} ${verdict}`;
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    const row = unnamed.get(`${key} ${nth}`);
    if (row !== undefined) row.number = number;
  }
}
