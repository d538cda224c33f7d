import type { Context } from '../../context.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { LocalCounts } from '../../model.ts';
import { readIssues } from '../../validate/issues/read-issues.ts';
import { placeWords } from '../../wording/files/place.ts';
import type { LostToCheck, RunReason } from '../../wording/reasons/run-reasons.ts';
import { usable } from '../archive/usable.ts';

/** The codes that cost no row before values were judged by what they mean. */
const CODES = new Set([
  'placeholder-value',
  'scientific-notation',
  'number-became-date',
  'digits-lost',
  'comment-in-number',
  'no-article-number',
]);
/** A file that loses fewer rows to them than this goes on. */
const MOST_LOST = 0.01;
const EXAMPLES = 3;

/**
 * Why a file is held that loses rows to checks which its feed's live delivery did not know: an update must not make offers disappear in
 * silence. Null where little is lost, or the live delivery was read with the same checks.
 */
export async function lostToNewChecks(
  run: RunRow,
  live: RunRow | null,
  { read }: LocalCounts,
  ctx: Context,
): Promise<RunReason | null> {
  if (live === null || live.detection === null || live.detection.habits !== null) return null;
  const counted = Object.entries(run.issues ?? {}).reduce(
    (sum, [code, count]) => sum + (CODES.has(code) ? count : 0),
    0,
  );
  if (counted <= read * MOST_LOST || run.issues_sha === null || !(await usable(run.issues_sha, ctx))) return null;
  const checks = new Map<string, LostToCheck>();
  let rows = 0;
  let last = '';
  for await (const batch of readIssues(ctx.archive.file(run.issues_sha))) {
    for (const { code, severity, file, sheet = null, line, value } of batch) {
      if (severity !== 'error' || !CODES.has(code) || line === null) continue;
      const place = placeWords({ file, sheet, line });
      if (place !== last) rows += 1;
      last = place;
      const check: LostToCheck = checks.get(code) ?? { code, rows: 0, examples: [] };
      check.rows += 1;
      if (check.examples.length < EXAMPLES) check.examples.push({ place, value: value ?? '' });
      checks.set(code, check);
    }
  }
  if (rows <= read * MOST_LOST) return null;
  return {
    code: 'new-checks',
    feed: run.feed,
    rows,
    read,
    checks: [...checks.values()].sort((a, b) => b.rows - a.rows),
  };
}
