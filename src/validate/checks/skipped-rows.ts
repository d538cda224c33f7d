import type { Detection, CountedRows, SkipKind, SkippedRows } from '../../model.ts';
import { placeIn } from '../../wording/files/place.ts';
import type { ScannedRow } from '../scan/scan-rows.ts';
import { shortened } from '../../wording/printable.ts';

/** Rows that are no offers, by kind. */
export type SkipLog = Partial<Record<SkipKind, Omit<SkippedRows, 'kind'>>>;

/** Lone cells that follow one another, with nothing but other skipped rows between them. */
export type LoneRun = {
  length: number;
  /** The line after the last of them. */
  next: number;
};

const KINDS: SkipKind[] = ['preamble', 'blank', 'lone-cell', 'total', 'repeated-header'];
const EXAMPLES = 5;
/** Longer values are cut. */
const VALUE_LENGTH = 200;
/** Headings over headings and the lines of a signature are fewer than this; what goes on longer is a damaged part of the file. */
const LONGEST_RUN = 20;
/** In a file with more lone cells than this, and than rows, they are no headings. */
const ALWAYS_HEADINGS = 10;

/** Counts a skipped row, or all the blank lines that a scanned row stands for. */
export function logSkipped(
  log: SkipLog,
  counts: CountedRows,
  {
    kind,
    row,
    table: { delimiter, parts },
  }: { kind: SkipKind; row: ScannedRow; table: Pick<Detection, 'delimiter' | 'parts'> },
): void {
  const lines = row.gap === undefined ? 1 : row.lastLine - row.line + 1;
  const known = (log[kind] ??= { rows: 0, examples: [] });
  known.rows += lines;
  counts.skipped += lines;
  for (let line = row.line; line < row.line + lines && known.examples.length < EXAMPLES; line += 1) {
    known.examples.push({
      ...placeIn(parts, line),
      value: kind === 'blank' ? '' : valueOf(row, parts.length > 0 ? ' | ' : delimiter),
    });
  }
}

/**
 * Counts a heading that needs no look at its cells; false where it is an example, or where so many have followed one another that it may be
 * none: then nothing is changed.
 */
export function passOverHeading(log: SkipLog, counts: CountedRows, run: LoneRun, line: number): boolean {
  const known = log['lone-cell'];
  if (known === undefined || known.examples.length < EXAMPLES) return false;
  if (run.next === line && run.length >= LONGEST_RUN) return false;
  extendRun(run, { line, lastLine: line }, 'lone-cell');
  known.rows += 1;
  counts.skipped += 1;
  return true;
}

function valueOf({ cells }: ScannedRow, delimiter: string | null): string {
  // What is above the table was not cut into cells.
  const text = cells
    .slice(0, VALUE_LENGTH)
    .join(delimiter ?? '')
    .replaceAll(/\t+/g, ' | ')
    .replaceAll('\v', ' ');
  return shortened(text, VALUE_LENGTH);
}

/** Adds the logs of parts of a file to a log. */
export function addToSkipLog(log: SkipLog, parts: SkipLog[]): void {
  for (const kind of KINDS) {
    const found = [log, ...parts].flatMap((part) => part[kind] ?? []);
    if (found.length === 0) continue;
    const examples = found.flatMap((part) => part.examples).sort((a, b) => a.line - b.line);
    log[kind] = { rows: found.reduce((sum, { rows }) => sum + rows, 0), examples: examples.slice(0, EXAMPLES) };
  }
}

/** What a log has, in a fixed order of kinds. */
export function skippedRows(log: SkipLog): SkippedRows[] {
  return KINDS.flatMap((kind) => (log[kind] === undefined ? [] : [{ kind, ...log[kind] }]));
}

/** Adds a row to a run of lone cells; false when the run is too long to be headings. */
export function extendRun(
  run: LoneRun,
  { line, lastLine }: Pick<ScannedRow, 'line' | 'lastLine'>,
  kind: SkipKind,
): boolean {
  const goesOn = run.next === line;
  if (kind !== 'lone-cell') {
    if (goesOn) run.next = lastLine + 1;
    return true;
  }
  run.length = goesOn ? run.length + 1 : 1;
  run.next = lastLine + 1;
  return run.length <= LONGEST_RUN;
}

/** Says that a row was broken: a lone cell right behind it may be the rest of it, and is no heading. */
export function breakRun(run: LoneRun, lastLine: number): void {
  run.length = LONGEST_RUN;
  run.next = lastLine + 1;
}

/**
 * Lone cells that outnumber the rows are no headings: they count as read and rejected, so that every guard sees them. Returns
 * how many there are; 0 when they are headings.
 */
export function unskipLoneCells(log: SkipLog, counts: CountedRows): number {
  const rows = log['lone-cell']?.rows ?? 0;
  if (rows <= Math.max(counts.read, ALWAYS_HEADINGS)) return 0;
  delete log['lone-cell'];
  counts.skipped -= rows;
  counts.read += rows;
  counts.rejectedLocally += rows;
  return rows;
}

/** Adds what was skipped in the next of several files: its examples stand behind those of the files before it. */
export function appendSkipLog(log: SkipLog, next: SkipLog): void {
  for (const kind of KINDS) {
    const found = next[kind];
    if (found === undefined) continue;
    const known = (log[kind] ??= { rows: 0, examples: [] });
    known.rows += found.rows;
    known.examples.push(...found.examples.slice(0, EXAMPLES - known.examples.length));
  }
}
