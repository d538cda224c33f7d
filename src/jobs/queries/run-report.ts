import { join } from 'node:path';
import { spellingsOf, stripIn } from '../../config/schema/feed-settings.ts';
import { supplierName } from '../../config/supplier.ts';
import type { Context } from '../../context.ts';
import { knownDemand } from '../../ledger/uploads/findability.ts';
import { recentDeliveries } from '../../ledger/runs/deliveries.ts';
import { addEvent, eventsOf, updateRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { replaceFile } from '../../io/replace-file.ts';
import { lastVerified } from '../../ledger/uploads/accepted-uploads.ts';
import { createDemand } from '../../parts/demand.ts';
import { createSpeller } from '../../parts/spellings.ts';
import { stripNumber } from '../../parts/strip-number.ts';
import { csvReport } from '../../report/csv.ts';
import type { ReportInput, StoredIssue } from '../../report/input.ts';
import { writePage, writeReports, type ReportPaths } from '../../report/write.ts';
import { usable } from '../archive/usable.ts';
import { keptChange } from '../guards/live-change.ts';
import { openLanguage } from '../../wording/language/language.ts';
import { reasonOfRun } from '../../wording/reasons/run-reasons.ts';
import { answerOf, rejectionsIn, rejectionsOf } from './answer.ts';
import { nameFeed } from '../feeds/name-feed.ts';
import { reportFolder, reportPaths } from './reports-here.ts';
import { standingRejections } from './standing-rejections.ts';
import { storedLines } from '../archive/stored-lines.ts';

/** Deliveries whose ends a report shows. */
const STRIP = 30;

/** Writes the reports of a run as it stands now into this home, and records that there are some, and what could not be read for them. */
export async function writeRunReports(run: RunRow, input: ReportInput, ctx: Context): Promise<ReportPaths> {
  const reports = await writeReports(input, reportFolder(run.id, ctx));
  if (run.reports === null) await updateRun(ctx.ledger.db, run.id, { reports });
  for (const message of input.unreadable) {
    if (input.events.some((event) => event.message === message)) continue;
    await addEvent(ctx.ledger.db, run.id, { at: ctx.clock.now(), stage: 'report', message });
  }
  return reports;
}

/** Writes the CSV of a run alone, as the run stands now; answers with its path. */
export async function writeRunCsv(run: RunRow, input: ReportInput, ctx: Context): Promise<string> {
  const { csv } = reportPaths(run.id, ctx);
  await replaceFile(csv, csvReport(input));
  return csv;
}

/** Writes the page of a run in another language than the configured one, as the run stands now; answers with its path. */
export async function writeRunPage(run: RunRow, language: string, ctx: Context): Promise<string> {
  const path = join(reportFolder(run.id, ctx), `report.${language}.html`);
  await writePage(await reportInput(run, ctx, language), path);
  return path;
}

/**
 * All that the reports of a run are made from. Times are in the zone of the feed's schedule (without one in UTC), or in `zone` where
 * they stand among others.
 */
export async function reportInput(
  run: RunRow,
  ctx: Context,
  language: string = ctx.config.mail.language,
  zone?: string,
): Promise<ReportInput> {
  const standing = await standingOf(run, ctx);
  const timeZone = zone ?? ctx.config.feeds[run.feed]?.schedule?.timezone;
  const answer = await answerOf(run.id, ctx);
  const unreadable = new Set(answer.unreadable);
  return {
    answer,
    reason: reasonOfRun(run),
    supplier: supplierName(ctx.config, run.feed),
    language: openLanguage(language, timeZone),
    unreadable,
    strip: await recentDeliveries(ctx.ledger.db, run.feed, STRIP),
    change: keptChange(run),
    demand: createDemand(await knownDemand(ctx.ledger.db, run), asUploaded(run.feed, ctx)),
    events: await eventsOf(ctx.ledger.db, run.id),
    file: run.entry ?? run.delivery_name,
    columns: { issues: run.cell_names ?? [], rejections: run.columns ?? [] },
    issues: () => issuesOf(run, ctx, unreadable),
    rejections: () =>
      standing === null ? rejectionsOf(run, ctx, unreadable) : rejectionsIn(standing.sha256, run, ctx, unreadable),
    ...(timeZone === undefined ? {} : { timeZone }),
  };
}

/** A part as the feed's settings upload it. */
function asUploaded(feed: string, { config }: Context) {
  const spell = createSpeller(spellingsOf(config, feed));
  const strip = stripIn(config, feed);
  return ({ brand, oem }: { brand: string; oem: string }) => ({ brand: spell(brand), oem: stripNumber(oem, strip) });
}

/** What is rejected by now of a run whose rows are in what was proved last; null where only its own upload says it. */
async function standingOf({ id, feed, login }: RunRow, ctx: Context): Promise<{ sha256: string | null } | null> {
  const proved = await lastVerified(ctx.ledger.db, login);
  const parts = proved?.dataset.parts ?? [];
  if (proved === undefined || !parts.some((part) => part.run === id)) return null;
  const standing = await standingRejections(feed, proved, ctx);
  return standing === 'unknown' ? null : standing;
}

/** The issues of a run that can be read; what cannot is said in `unreadable`. */
export async function* issuesOf(run: RunRow, ctx: Context, unreadable: Set<string>): AsyncGenerator<StoredIssue> {
  if (run.issues_sha === null || run.reports_pruned_at !== null) return;
  await usable(run.issues_sha, ctx);
  const file = { run: run.id, what: 'issues', file: ctx.archive.file(run.issues_sha) } as const;
  for await (const issue of storedLines<StoredIssue>(file, unreadable)) {
    yield { ...issue, message: nameFeed(issue.message, run.feed) };
  }
}
