import type { Context } from '../../context.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { StoredIssue } from '../../report/input.ts';
import type { TracedRejection } from '../../upload/errors/write-rejections.ts';
import { lineOf } from '../../wording/files/place.ts';
import { nameFeed } from '../feeds/name-feed.ts';
import { ownRejections } from '../queries/trace-in-run.ts';
import { storedLines } from '../archive/stored-lines.ts';
import type { RowReason } from './run-rows.ts';

/**
 * An issue of a row, with the line of the row in the text that the file was read as. `number`: which of the numbers of its cell it is about; null
 * where it is about the row.
 */
export type RowIssue = { at: number; issue: StoredIssue; cells: string[]; number: string | null };

/** The issues of a run's rows, in the order of the file. Nothing is mended for it, so that it can be asked where nothing may be written. */
export async function* rowIssues(run: RunRow, { archive }: Context, notes: Set<string>): AsyncGenerator<RowIssue> {
  if (run.issues_sha === null || run.reports_pruned_at !== null) return;
  const parts = run.detection?.parts ?? [];
  const oemAt = (run.counts?.expanded ?? 0) > 0 ? (run.cell_names ?? []).indexOf('oem') : -1;
  const file = { run: run.id, what: 'issues', file: archive.file(run.issues_sha) } as const;
  for await (const issue of storedLines<StoredIssue>(file, notes)) {
    const { line, file: its, sheet = null, cells } = issue;
    if (line === null || cells === undefined) continue;
    const number = oemAt === -1 ? null : numberIn(issue, cells[oemAt] ?? '');
    yield { at: lineOf(parts, { file: its, sheet, line }), issue, cells, number };
  }
}

/** What became of a row that was not accepted. */
export type LocalVerdict = 'rejectedLocally' | 'duplicate' | 'leftOut';

/** Issues that say what became of a part without being mistakes; their value is its brand and its number. */
const FATES: Partial<Record<string, LocalVerdict>> = {
  duplicate: 'duplicate',
  'changed-again': 'duplicate',
  'left-out': 'leftOut',
  'row-removes': 'leftOut',
};

/** What an issue costs its row, or the number that it is about; null where it costs nothing. */
export function costOf({ code, severity }: Pick<StoredIssue, 'code' | 'severity'>): LocalVerdict | null {
  return FATES[code] ?? (severity === 'error' ? 'rejectedLocally' : null);
}

/** Which of the numbers of a cell an issue is about; null where it is about the row, or the cell holds one. */
function numberIn({ code, column, value }: StoredIssue, cell: string): string | null {
  const isOfPart = FATES[code] !== undefined;
  if (value === null || (!isOfPart && column !== 'oem')) return null;
  // Where the brand ends is not known: it may have blanks as well.
  const from = isOfPart ? value.indexOf(' ') + 1 : 0;
  for (let at = from; at < value.length;) {
    const number = value.slice(at);
    if (cell.includes(number)) return number === cell.trim() ? null : number;
    const blank = value.indexOf(' ', at);
    if (blank === -1) return null;
    at = blank + 1;
  }
  return null;
}

/** What the service rejected of a run in its own upload. */
export async function* rejectionsOfRun(
  run: RunRow,
  { archive }: Context,
  notes: Set<string>,
): AsyncGenerator<TracedRejection> {
  const sha256 = ownRejections(run);
  if (sha256 === null) return;
  const file = { run: run.id, what: 'rejections', file: archive.file(sha256) } as const;
  yield* storedLines<TracedRejection>(file, notes);
}

/** What an issue says of its row. */
export function reasonOf({ code, severity, column, value, message }: StoredIssue, feed: string): RowReason {
  return { by: 'us', code, severity, column, value, message: nameFeed(message, feed) };
}

/** What the service says of a row. */
export function refusalOf({ code, message }: Pick<TracedRejection, 'code' | 'message'>): RowReason {
  return { by: 'service', code, severity: 'error', column: null, value: null, message };
}
