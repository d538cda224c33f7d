import { join } from 'node:path';
import type { Context } from '../context.ts';
import { addEvent, eventsOf, previousRun, updateRun } from '../ledger/runs.ts';
import { claimMail, mailSent } from '../ledger/mails.ts';
import type { RunRow } from '../ledger/schema.ts';
import { jsonLines } from '../lines.ts';
import type { Detection, RunAnswer } from '../model.ts';
import { buildMail } from '../notify/build-mail.ts';
import { whoIsTold } from '../notify/who-is-told.ts';
import type { ReportInput, StoredIssue } from '../report/input.ts';
import { writeReports } from '../report/write-reports.ts';
import { ISSUES } from '../validate/catalogue.ts';
import { answerOf, rejectionsOf } from './answer.ts';

/** Writes the reports of a decided run and tells the managers who want to know; then the run is done. */
export async function reportRun(run: RunRow, ctx: Context): Promise<void> {
  const reports = await writeRunReports(run, ctx);
  await notify(run, { ...(await answerOf(run.id, ctx)), reports }, ctx);
  await updateRun(ctx.ledger.db, run.id, { stage: 'done', tries: 0 });
}

/** Writes the reports of a run as it stands now, and records where they are. */
export async function writeRunReports(run: RunRow, ctx: Context): Promise<Reports> {
  const answer = await answerOf(run.id, ctx);
  const columns = run.columns === null ? [] : (JSON.parse(run.columns) as string[]);
  const detection = run.detection === null ? null : (JSON.parse(run.detection) as Detection);
  const input: ReportInput = {
    answer,
    events: await eventsOf(ctx.ledger.db, run.id),
    columns: { issues: detection?.columns ?? [], rejections: columns },
    kinds: ISSUES,
    issues: () => issuesOf(run, ctx),
    rejections: () => rejectionsOf(run, ctx),
  };
  const reports = await writeReports(input, join(ctx.home, 'reports', run.id));
  await updateRun(ctx.ledger.db, run.id, { reports: JSON.stringify(reports) });
  return reports;
}

async function* issuesOf(run: RunRow, ctx: Context): AsyncGenerator<StoredIssue> {
  if (run.issues_sha !== null) yield* jsonLines<StoredIssue>(ctx.archive.path(run.issues_sha));
}

/** One mail per manager and outcome of a run: a report that is written again does not send it twice. */
async function notify(run: RunRow, answer: RunAnswer, ctx: Context): Promise<void> {
  const previous = await previousRun(ctx.ledger.db, run);
  for (const manager of whoIsTold(ctx.config.managers, answer, previous?.outcome ?? null)) {
    const id = `${run.id} ${answer.outcome} ${manager.email}`;
    const now = ctx.clock.now();
    if (!(await claimMail(ctx.ledger.db, { id, run: run.id, recipient: manager.email, now }))) continue;
    const { where } = await ctx.mail().send(await buildMail(answer, manager));
    await mailSent(ctx.ledger.db, id, where);
    await addEvent(ctx.ledger.db, run.id, { at: now, stage: 'report', message: `mailed to ${manager.email}` });
  }
}
