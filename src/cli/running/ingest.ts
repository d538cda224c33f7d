import { resolve } from 'node:path';
import type { Command } from 'commander';
import { OfferlineError } from '../../errors.ts';
import { byThisUser } from '../decisions/decision.ts';
import type { RunAnswer } from '../../model.ts';
import { exitOf } from './exit-of.ts';
import { bringReports } from './bring-reports.ts';
import type { Io } from '../io.ts';
import { feedOf, toDecide, type Session } from '../session.ts';

type Options = { file?: string; force?: true; strict?: true; wait?: true; rehearse?: true; json?: true };

const HELP = `
Without --wait the run is recorded, and a running \`offerline up\` or \`offerline worker\` does the work.
With --strict the exit status is 5 if the run is live but some rows were rejected.
With --rehearse the run uses a private sandbox that starts with what is live. It shows what would happen; apart from pulling
from the real source, it touches nothing real, and mails are only written to files.

Examples:
  offerline ingest north --wait
  offerline ingest north --file ./price-list.zip --wait --json
  offerline ingest north --file ./price-list.zip --rehearse
`;

/** Adds `ingest`: run a feed now. */
export function define(program: Command, io: Io): void {
  program
    .command('ingest')
    .description('Run a feed now: pull, check, upload, report.')
    .argument('<feed>', 'a feed of the configuration')
    .option('--file <path>', "take this file instead of the feed's source")
    .option('--force', 'read and upload even if the same bytes are already live; never overrides a guard')
    .option('--strict', 'exit with 5 if rows were rejected')
    .option('--wait', 'work in this process until the outcome is known')
    .option('--rehearse', 'run against a private sandbox; nothing real is touched')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action(async (feed: string, options: Options, command: Command) => {
      if (options.rehearse !== true) return toDecide(command, io, (session) => ingest(feed, options, session, io));
      const { rehearse } = await import('./rehearse.ts');
      if (options.file !== undefined) await assertFile(options.file);
      return rehearse(feed, options, command, io, async (loaded) => (await feedOf(feed, loaded)).login);
    });
}

async function ingest(feed: string, options: Options, session: Session, io: Io): Promise<void> {
  const { ctx } = session;
  await feedOf(feed, session.loaded);
  const { file, force, wait } = options;
  if (file !== undefined) await assertFile(file);
  const { runFeed } = await import('../../jobs/decisions/run-feed.ts');
  const run = await runFeed(
    feed,
    {
      file: file === undefined ? undefined : resolve(file),
      force: force === true,
      wait: wait === true,
      by: byThisUser(),
    },
    ctx,
  );
  await finishRun(run, options, session, io);
}

/** Waits for a run and answers with it, or leaves it to a worker and answers with its id. */
export async function finishRun(
  run: string,
  options: { wait?: true; strict?: true; json?: true },
  session: Session,
  io: Io,
): Promise<void> {
  const { ctx, loaded } = session;
  if (options.wait !== true) {
    const { wakeElsewhere } = await import('../../jobs/queue/wake-elsewhere.ts');
    const woken = await wakeElsewhere(run, { redisUrl: loaded.redisUrl }, ctx);
    if (options.json === true) io.json({ run, woken });
    else
      io.out(
        woken
          ? `Run ${run} is queued.`
          : `Run ${run} has been recorded; it starts when \`offerline up\` or \`offerline worker\` runs.`,
      );
    return;
  }
  const [answer] = await finishRuns([run], options, session, io);
  if (options.json === true) io.json(answer);
}

/** Waits for runs, says what became of them unless that is asked for as JSON, and gives their answers. The first that is not well sets the exit status. */
export async function finishRuns(
  runs: string[],
  options: { strict?: true; json?: true },
  session: Session,
  io: Io,
): Promise<RunAnswer[]> {
  const { ctx, loaded } = session;
  const [{ workUntilDone }, { answerOf }] = await Promise.all([
    import('../../jobs/queue/work-until.ts'),
    import('../../jobs/queries/answer.ts'),
  ]);
  const quiet = options.json === true;
  if (runs.length > 0)
    await workUntilDone(runs, ctx, {
      redisUrl: loaded.redisUrl,
      signal: io.stopSignal(),
      notice: io.progress,
      say: (text, step) => (quiet ? undefined : io.progress(text, step)),
      gauge: io.gauge,
    }).catch((error: unknown) => {
      if (!isRedisError(error)) throw error;
      const kept = `Run ${runs.join(', ')} has been recorded; it continues when a worker that can reach its Redis runs.`;
      throw new OfferlineError('redis', `${error.message} ${kept}`, { cause: error });
    });
  const answers: RunAnswer[] = [];
  for (const run of runs) {
    const answer = await answerOf(run, ctx);
    // Another machine may have done the work.
    await bringReports(answer, ctx);
    if (!quiet) await showEnd(answer, io);
    answers.push(answer);
  }
  io.exit(answers.map((answer) => exitOf(answer, options.strict === true)).find((status) => status !== 0) ?? 0);
  return answers;
}

async function showEnd(answer: RunAnswer, io: Io): Promise<void> {
  const [{ showAnswer, paintOutcome }, { fitText }, { printableText }] = await Promise.all([
    import('../queries/show-answer.ts'),
    import('../fit.ts'),
    import('../../wording/printable.ts'),
  ]);
  io.styled(paintOutcome(printableText(fitText(showAnswer(answer))), answer, io.color));
}

/** Without its queue a run is still recorded: the ledger is the truth. */
function isRedisError(error: unknown): error is OfferlineError {
  return error instanceof OfferlineError && error.code === 'redis';
}

async function assertFile(path: string): Promise<void> {
  const [{ stat }, { notAFile }] = await Promise.all([import('node:fs/promises'), import('../../pull/file.ts')]);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new OfferlineError('usage', `There is no file ${path} (--file).`);
  if (!found.isFile()) throw notAFile(path, found);
}
