import { join } from 'node:path';
import type { Context } from '../context.ts';
import { claimMail, mailSent } from '../ledger/mails.ts';
import { addEvent, closeRun, eventsOf, previousRun, updateRun } from '../ledger/runs.ts';
import type { RunRow } from '../ledger/schema.ts';
import { jsonLines } from '../lines.ts';
import { buildMail } from '../notify/mail.ts';
import { brandsWatched, whoIsTold } from '../notify/who.ts';
import { digestIssues } from '../report/digest.ts';
import type { ReportInput, StoredIssue } from '../report/input.ts';
import { brandsTouched } from '../report/touched.ts';
import { writeReports, type ReportPaths } from '../report/write.ts';
import { ISSUES } from '../validate/catalogue.ts';
import { answerOf, rejectionsOf } from './answer.ts';
import { nameFeed } from './name-feed.ts';

/** Writes the reports of a decided run and tells the managers who want to know; then the run is done. */
export async function reportRun(run: RunRow, ctx: Context): Promise<void> {
  const input = await reportInput(run, ctx);
  const reports = await writeRunReports(run, input, ctx);
  await notify(run, { ...input, answer: { ...input.answer, reports } }, ctx);
  await closeRun(ctx.ledger.db, run);
}

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
    events: await eventsOf(ctx.ledger.db, run.id),
    file: run.entry ?? run.delivery_name,
    columns: { issues: namesIn(run.cell_names), rejections: namesIn(run.columns) },
    kinds: ISSUES,
    issues: () => issuesOf(run, ctx),
    rejections: () => rejectionsOf(run, ctx),
    ...(timeZone === undefined ? {} : { timeZone }),
  };
}

function namesIn(json: string | null): string[] {
  return json === null ? [] : (JSON.parse(json) as string[]);
}

async function* issuesOf(run: RunRow, ctx: Context): AsyncGenerator<StoredIssue> {
  if (run.issues_sha === null) return;
  for await (const issue of jsonLines<StoredIssue>(ctx.archive.path(run.issues_sha))) {
    yield { ...issue, message: nameFeed(issue.message, run.feed) };
  }
}

/** One mail per manager and outcome of a run: a report that is written again does not send it twice. */
async function notify(run: RunRow, input: ReportInput, ctx: Context): Promise<void> {
  const { answer, timeZone } = input;
  const before = await previousRun(ctx.ledger.db, run);
  const previous = run.amended ?? before?.outcome ?? null;
  const touched = await brandsTouched(input, brandsWatched(ctx.config.managers, run.feed));
  const { managers } = ctx.config;
  const told = isOldNews(run, before) ? managers.filter(({ when }) => when.includes('always')) : managers;
  for (const manager of whoIsTold(told, { answer, previous, touched })) {
    const id = `${run.id} ${answer.outcome} ${manager.email}`;
    const now = ctx.clock.now();
    if (!(await claimMail(ctx.ledger.db, { id, run: run.id, recipient: manager.email, now }))) continue;
    const issues = await digestIssues(input);
    const csv = answer.reports?.csv ?? null;
    const mail = await buildMail({ answer, issues, csv, from: ctx.config.mail.from, timeZone }, manager);
    const { where } = await (await ctx.mail()).send(mail);
    await mailSent(ctx.ledger.db, id, where);
    await addEvent(ctx.ledger.db, run.id, { at: now, stage: 'report', message: `mailed to ${manager.email}` });
  }
}

/** The run ended as the one before it, with the same bytes and for the same reason: the incident was told then. */
function isOldNews(run: RunRow, before: RunRow | undefined): boolean {
  if (before === undefined || run.amended !== null || !['held', 'rejected', 'failed'].includes(run.outcome ?? ''))
    return false;
  return run.outcome === before.outcome && run.reason === before.reason && run.delivery_sha === before.delivery_sha;
}
