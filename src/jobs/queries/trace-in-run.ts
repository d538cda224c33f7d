import type { Context } from '../../context.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { lineBatches } from '../../archive/lines.ts';
import { stripIn } from '../../config/schema/feed-settings.ts';
import { partKey } from '../../parts/part-key.ts';
import { stripNumber, type Strip } from '../../parts/strip-number.ts';
import type { StoredIssue } from '../../report/input.ts';
import { rejectionsIn } from './answer.ts';
import { issuesOf } from './run-report.ts';
import { placeIn, placeWords } from '../../wording/files/place.ts';
import { usable } from '../archive/usable.ts';

/** What became of a part in one feed. */
export type Verdict =
  | 'live'
  | 'outranked'
  | 'rejected-remotely'
  | 'rejected-locally'
  | 'left-out'
  | 'removed'
  | 'waiting'
  | 'not-uploaded'
  | 'expired'
  | 'absent';

/** Where a part stands in one feed. `line` is that of the feed's own file. */
export type FeedTrace = {
  feed: string;
  verdict: Verdict;
  run: string | null;
  file: string | null;
  sheet: string | null;
  line: number | null;
  /** Why it is not live, or what was remarked about its row. */
  messages: string[];
  /** The newest file that was read, when another one is live: its outcome, and the part's line in it. */
  newer: (Pick<FeedTrace, 'file' | 'sheet' | 'line'> & { run: string; outcome: string | null }) | null;
};

/** What one run knows of a part. */
export type InRun = Omit<FeedTrace, 'feed' | 'newer'>;

/**
 * What a run's own file and the service say of the part, whose rows have one of the keys; `live` means that nothing speaks against it. `rejections`: what the
 * service rejects of the run's rows, a file of the archive or null. `winner`: the feed that has the part in the live dataset, which
 * says more than a file that is lost.
 */
export async function traceInRun(
  keys: ReadonlySet<string>,
  run: RunRow,
  { rejections, winner }: { rejections: string | null; winner: string | null },
  ctx: Context,
): Promise<InRun> {
  const found = { run: run.id, file: run.entry ?? run.delivery_name };
  const unreadable = new Set<string>();
  const issues = await issuesOn(keys, run, ctx, unreadable);
  const refused = await refusals(keys, run, rejections, ctx, unreadable);
  const remarks = [...issues.map((issue) => `${whereWords(issue)}: ${issue.message}`), ...unreadable];
  const rows = run.rows_sha ?? '';
  if (!(await usable(rows, ctx))) {
    const why = `the accepted rows of run ${run.id} are damaged or missing in the archive: its line is not known`;
    const here = winner === run.feed;
    return { ...found, verdict: here ? 'live' : 'absent', sheet: null, line: null, messages: [why, ...remarks] };
  }
  const line = await acceptedLine(keys, run, ctx);
  if (line === null) {
    const { file = found.file, sheet = null, line: first = null } = issues[0] ?? {};
    return { ...found, verdict: withoutRow(issues), file, sheet, line: first, messages: remarks };
  }
  const { file = found.file, ...place } = placeIn(run.detection?.parts ?? [], line);
  if (refused.length > 0)
    return { ...found, verdict: 'rejected-remotely', file, ...place, messages: [...refused, ...remarks] };
  return { ...found, verdict: 'live', file, ...place, messages: remarks };
}

/** What became of a part that no accepted row has. */
function withoutRow(issues: StoredIssue[]): Verdict {
  if (issues.length === 0) return 'absent';
  if (issues.some(({ code }) => code === 'row-removes')) return 'removed';
  return issues.some(({ code }) => code === 'left-out') ? 'left-out' : 'rejected-locally';
}

/** The line of the accepted row with one of the keys, in the text that was made of a run's file; null when there is none. */
export async function acceptedLine(keys: ReadonlySet<string>, run: RunRow, ctx: Context): Promise<number | null> {
  const columns = run.columns ?? [];
  for await (const lines of lineBatches(ctx.archive.file(run.rows_sha ?? ''))) {
    for (const text of lines) {
      const [line = '', ...cells] = text.split('\t');
      if (keys.has(keyOf(cells, columns))) return Number(line);
    }
  }
  return null;
}

async function issuesOn(
  keys: ReadonlySet<string>,
  run: RunRow,
  ctx: Context,
  unreadable: Set<string>,
): Promise<StoredIssue[]> {
  const names = run.cell_names ?? [];
  const strip = stripIn(ctx.config, run.feed);
  const found: StoredIssue[] = [];
  for await (const issue of issuesOf(run, ctx, unreadable)) {
    if (issue.cells !== undefined && [null, strip].some((off) => keys.has(keyOf(issue.cells!, names, off))))
      found.push(issue);
  }
  return found;
}

async function refusals(
  keys: ReadonlySet<string>,
  run: RunRow,
  rejections: string | null,
  ctx: Context,
  unreadable: Set<string>,
): Promise<string[]> {
  const found: string[] = [];
  for await (const { brand, oem, code, message } of rejectionsIn(rejections, run, ctx, unreadable)) {
    if (keys.has(partKey(brand ?? '', oem ?? ''))) found.push(code === null ? message : `${code}: ${message}`);
  }
  return found;
}

/** What the service rejected of a run in its own upload, whatever it says of these rows by now. */
export function ownRejections(run: RunRow): string | null {
  return run.reports_pruned_at === null ? run.rejections_sha : null;
}

/** Where an issue is, for people; issues of earlier versions know of no sheets. */
function whereWords({ file, sheet = null, line }: StoredIssue): string {
  return line === null ? (file ?? 'the file') : placeWords({ file, sheet, line });
}

/** A row's part, as parts are compared; `strip`: what is taken off its number first. */
export function keyOf(cells: string[], names: string[], strip: Strip | null = null): string {
  return partKey(cells[names.indexOf('brand')] ?? '', stripNumber(cells[names.indexOf('oem')] ?? '', strip));
}
