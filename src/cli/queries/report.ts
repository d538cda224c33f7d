import { isDeepStrictEqual } from 'node:util';
import { Option, type Command } from 'commander';
import { OfferlineError } from '../../errors.ts';
import type { Context } from '../../context.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { MarkedFile } from '../../jobs/queries/marked-file.ts';
import type { ReportInput } from '../../report/input.ts';
import type { Io } from '../io.ts';
import { RUN, withRun } from '../session.ts';

type Options = { format: 'html' | 'csv' | 'xlsx' | 'json'; out?: string; language?: string };

/** Adds `report`: the report of a run in one of its formats. */
export function define(program: Command, io: Io): void {
  program
    .command('report')
    .description("Print the path of a run's report, or write a copy of it.")
    .argument('<run>', RUN)
    .addOption(new Option('--format <format>', 'which report').choices(['html', 'csv', 'xlsx', 'json']).default('html'))
    .option('--language <name>', 'write the html in this language instead of mail.language: de, en, pl, ru')
    .option('--out <file>', 'write a copy here; "-" writes it to stdout')
    .addHelpText(
      'after',
      '\nxlsx: the supplier’s own rows that have mistakes, with the faulty cells marked and commented.\n\n' +
        'Example:\n  offerline report 20261121-060000-k3f9x --format csv --out north.csv\n  offerline report 20261121-060000-k3f9x --format xlsx --out mistakes.xlsx\n  offerline report 20261121-060000-k3f9x --language de --out bericht.html\n',
    )
    .action((name: string, options: Options, command: Command) =>
      withRun(command, io, name, async (run, { ctx }) => {
        await giveOut(options.out, await pathOf(run, options, ctx, io), io);
      }),
    );
}

async function pathOf(run: string, { format, language }: Options, ctx: Context, io: Io): Promise<string> {
  if (language !== undefined) return pageIn(language, format, run, ctx);
  return format === 'xlsx' ? (await markedOf(run, ctx, io)).marked.path : reportPath(run, format, ctx);
}

/** The page of a run in a language, as the run stands now. */
async function pageIn(language: string, format: Options['format'], id: string, ctx: Context): Promise<string> {
  const { assertLanguage } = await import('../known-language.ts');
  await assertLanguage(language);
  if (format !== 'html') {
    throw new OfferlineError('usage', `--language is for the html report: leave out --format ${format}.`);
  }
  if (language === ctx.config.mail.language) return reportPath(id, format, ctx);
  const { getRun } = await import('../../ledger/runs/runs.ts');
  const { assertReportable } = await import('../../jobs/decisions/rerun.ts');
  const { writeRunPage } = await import('../../jobs/queries/run-report.ts');
  const run = await getRun(ctx.ledger.db, id);
  assertReportable(run);
  return writeRunPage(run, language, ctx);
}

/** The workbook with a run's marked rows, and what it was made from: the reports as they stand now. */
export async function markedOf(id: string, ctx: Context, io: Io): Promise<Marked> {
  await reportPath(id, 'csv', ctx);
  const { getRun } = await import('../../ledger/runs/runs.ts');
  const { assertReportable } = await import('../../jobs/decisions/rerun.ts');
  const { reportInput } = await import('../../jobs/queries/run-report.ts');
  const { markedFile } = await import('../../jobs/queries/marked-file.ts');
  const run = await getRun(ctx.ledger.db, id);
  assertReportable(run);
  const input = await reportInput(run, ctx);
  return { run, input, marked: await markedFile(run, input, ctx, io.stopSignal()) };
}

type Marked = { run: RunRow; input: ReportInput; marked: MarkedFile };

/** The report of a run; written now when this machine has none, something happened since, or the run is still open. */
async function reportPath(id: string, format: Exclude<Options['format'], 'xlsx'>, ctx: Context): Promise<string> {
  const { getRun } = await import('../../ledger/runs/runs.ts');
  const { existsSync } = await import('node:fs');
  const { reportPaths } = await import('../../jobs/queries/reports-here.ts');
  const run = await getRun(ctx.ledger.db, id);
  const path = reportPaths(id, ctx)[format];
  if (run.reports !== null && existsSync(path) && !(await isOutdated(run, path, ctx))) return path;
  const { assertReportable } = await import('../../jobs/decisions/rerun.ts');
  assertReportable(run);
  const { reportInput, writeRunReports } = await import('../../jobs/queries/run-report.ts');
  return (await writeRunReports(run, await reportInput(run, ctx), ctx))[format];
}

/**
 * Whether something happened to the run since, what was live then no longer is, or the page is in another language than is
 * configured now. What was reported is compared, never times: the clocks of several machines differ.
 */
async function isOutdated(run: RunRow, path: string, ctx: Context): Promise<boolean> {
  // What a pruned run was written from is gone; its files stay as they are.
  if (run.reports_pruned_at !== null) return false;
  if (path.endsWith('.html') && (await languageOf(path)) !== ctx.config.mail.language) return true;
  const [{ eventsOf }, { liveNowOf }, { reportHere }] = await Promise.all([
    import('../../ledger/runs/runs.ts'),
    import('../../jobs/logins/live-facts.ts'),
    import('../../jobs/queries/reports-here.ts'),
  ]);
  const events = await eventsOf(ctx.ledger.db, run.id);
  const now = await liveNowOf(run.feed, run.login, ctx.ledger.db);
  const here = await reportHere(run.id, ctx);
  return !isDeepStrictEqual([here?.['events'], here?.['now']], [events, now]);
}

/** The language that a page says it is in. */
async function languageOf(path: string): Promise<string | undefined> {
  const { open } = await import('node:fs/promises');
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(200), 0, 200, 0);
  return /<html lang="([^"]*)"/.exec(buffer.toString('utf8', 0, bytesRead))?.[1];
}

/** Prints the path of a file, or writes a copy of it to where `--out` says. */
export async function giveOut(target: string | undefined, path: string, io: Io): Promise<void> {
  if (target === undefined) return io.out(path);

  const { createReadStream } = await import('node:fs');
  if (target === '-') return (await import('../stdout.ts')).toStdout(createReadStream(path), io.stdout);
  const { writeOutput } = await import('../files/output-file.ts');
  await writeOutput('--out', target, createReadStream(path));
  io.note(`Written to ${target}`);
}
