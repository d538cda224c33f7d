import type { Context } from '../../context.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { StoredIssue } from '../../report/input.ts';
import type { TracedRejection } from '../../upload/errors/write-rejections.ts';
import { lineOf } from '../../wording/files/place.ts';
import { nameFeed } from '../feeds/name-feed.ts';
import { ownRejections } from '../queries/trace-in-run.ts';
import { storedLines } from '../archive/stored-lines.ts';
import type { RowReason } from './run-rows.ts';

/** An issue of a row, with the line of the row in the text that the file was read as. */
export type RowIssue = { at: number; issue: StoredIssue; cells: string[] };

/** The issues of a run's rows, in the order of the file. Nothing is mended for it, so that it can be asked where nothing may be written. */
export async function* rowIssues(run: RunRow, { archive }: Context, notes: Set<string>): AsyncGenerator<RowIssue> {
  if (run.issues_sha === null || run.reports_pruned_at !== null) return;
  const parts = run.detection?.parts ?? [];
  const file = { run: run.id, what: 'issues', file: archive.file(run.issues_sha) } as const;
  for await (const issue of storedLines<StoredIssue>(file, notes)) {
    const { line, file: its, sheet = null, cells } = issue;
    if (line !== null && cells !== undefined) yield { at: lineOf(parts, { file: its, sheet, line }), issue, cells };
  }
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
