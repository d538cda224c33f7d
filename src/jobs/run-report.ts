import { join } from 'node:path';
import type { Context } from '../context.ts';
import { eventsOf, updateRun } from '../ledger/runs.ts';
import type { RunRow } from '../ledger/schema.ts';
import { jsonLines } from '../lines.ts';
import type { RunEvent } from '../model.ts';
import type { ReportInput, StoredIssue } from '../report/input.ts';
import { writeReports, type ReportPaths } from '../report/write.ts';
import { ISSUES } from '../validate/catalogue.ts';
import { usable } from './archive/usable.ts';
import { answerOf, rejectionsOf } from './answer.ts';
import { nameFeed } from './name-feed.ts';

/** Writes the reports of a run as it stands now, and records where they are. */
export async function writeRunReports(run: RunRow, input: ReportInput, ctx: Context): Promise<ReportPaths> {
  const reports = await writeReports(input, join(ctx.home, 'reports', run.id));
  await updateRun(ctx.ledger.db, run.id, { reports: JSON.stringify(reports) });
  return reports;
}

/** All that the reports of a run are made from; a feed without a schedule has no time zone of its own. */
export async function reportInput(run: RunRow, ctx: Context): Promise<ReportInput> {
  const timeZone = ctx.config.feeds[run.feed]?.schedule?.timezone;
  return {
    answer: await answerOf(run.id, ctx),
    events: [...(await eventsOf(ctx.ledger.db, run.id)), ...(await missingIn(run, ctx))],
    file: run.entry ?? run.delivery_name,
    columns: { issues: namesIn(run.cell_names), rejections: namesIn(run.columns) },
    kinds: ISSUES,
    issues: () => issuesOf(run, ctx),
    rejections: () => rejectionsOf(run, ctx),
    ...(timeZone === undefined ? {} : { timeZone }),
  };
}

/** Says in the timeline what the report would have told and cannot, because the archive has lost it. */
async function missingIn(run: RunRow, ctx: Context): Promise<RunEvent[]> {
  if (run.reports_pruned_at !== null) return [];
  const files = [['issues', run.issues_sha] as const, ['rejections', run.rejections_sha] as const];
  const missing: RunEvent[] = [];
  for (const [what, sha256] of files) {
    if (sha256 === null || (await usable(sha256, ctx))) continue;
    const message = `the ${what} of this run are damaged or missing in the archive and could not be made again: this report does not list them`;
    missing.push({ at: ctx.clock.now(), stage: 'report', message });
  }
  return missing;
}

function namesIn(json: string | null): string[] {
  return json === null ? [] : (JSON.parse(json) as string[]);
}

async function* issuesOf(run: RunRow, ctx: Context): AsyncGenerator<StoredIssue> {
  if (run.issues_sha === null || run.reports_pruned_at !== null || !(await usable(run.issues_sha, ctx))) return;
  for await (const issue of jsonLines<StoredIssue>(ctx.archive.file(run.issues_sha))) {
    yield { ...issue, message: nameFeed(issue.message, run.feed) };
  }
}
