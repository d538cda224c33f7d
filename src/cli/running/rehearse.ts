import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { LoadedConfig } from '../../config/load.ts';
import { OfferlineError } from '../../errors.ts';
import type { RunAnswer } from '../../model.ts';
import { exitOf } from './exit-of.ts';
import type { Io } from '../io.ts';
import { loadFor, logFor, stopSignal } from '../session.ts';

type Options = { file?: string; force?: true; strict?: true; json?: true };

/**
 * Runs a feed against a private sandbox with the real configuration and shows what would happen; nothing real is touched.
 * `loginOf` gives the feed's login, or refuses a feed that is not there.
 */
export async function rehearse(
  feed: string,
  options: Options,
  command: Command,
  io: Io,
  loginOf: (loaded: LoadedConfig) => Promise<string>,
): Promise<void> {
  const loaded = await loadFor(command);
  const login = await loginOf(loaded);
  const quiet = options.json === true;
  const { answers, home } = await rehearseFeeds([feed], login, options, loaded, {
    note: io.progress,
    say: (text, step) => (quiet ? undefined : io.progress(text, step)),
    gauge: io.gauge,
  });
  const [answer] = answers as [RunAnswer];
  if (quiet) io.json({ ...answer, rehearsal: true, home });
  else {
    const { showAnswer } = await import('../queries/show-answer.ts');
    io.out(
      `REHEARSAL against a private sandbox: nothing real was touched.\n\n${showAnswer(answer, { rehearsal: true })}\nrehearsal  ${home}`,
    );
  }
  if (!quiet && answer.outcome === 'held') {
    const set = answer.cause === 'columns' ? `Set feeds.${feed}.columns and rehearse again, or run` : 'Run';
    io.note(
      `The run ${answer.run} exists in the rehearsal only. ${set} \`offerline ingest ${feed}\` and decide about that run.`,
    );
  }
  io.exit(exitOf(answer, options.strict === true));
}

/**
 * Runs feeds of one login together in a rehearsal; answers what became of each, in the same order, and where the rehearsal's
 * files are. `note` is told what differs from the real thing, `say` how far the work is.
 */
export async function rehearseFeeds(
  feeds: string[],
  login: string,
  options: Pick<Options, 'file' | 'force'>,
  loaded: LoadedConfig,
  { note, say, gauge }: { note: (text: string) => void; say: Io['progress']; gauge: Io['gauge'] },
): Promise<{ answers: RunAnswer[]; home: string }> {
  const [{ openRehearsal }, { createRun }, { workUntilDone }, { answerOf }] = await Promise.all([
    import('../../app/rehearsal.ts'),
    import('../../ledger/runs/runs.ts'),
    import('../../jobs/queue/work-until.ts'),
    import('../../jobs/queries/answer.ts'),
  ]);
  const log = await logFor(loaded);
  const { ctx, home, notes, close } = await openRehearsal(login, feeds[0] ?? '', loaded, log);
  try {
    for (const text of notes) note(text);
    const runs: string[] = [];
    for (const feed of feeds) {
      const run = await createRun(ctx.ledger.db, {
        feed,
        login,
        cause: 'manual',
        options: {
          wait: true,
          ...(options.force === true ? { force: true } : {}),
          ...(options.file === undefined ? {} : { file: resolve(options.file) }),
        },
        sandbox: true,
        now: ctx.clock.now(),
      });
      runs.push(run);
    }
    const queue = { redisUrl: undefined, embedded: 'in-process' as const, notice: () => undefined };
    await workUntilDone(runs, ctx, { ...queue, signal: stopSignal(), say, gauge }).catch((error: unknown) => {
      if (!(error instanceof OfferlineError) || error.code !== 'interrupted') throw error;
      throw new OfferlineError('interrupted', 'Interrupted; the rehearsal ends here. Nothing real was touched.');
    });
    const answers: RunAnswer[] = [];
    for (const run of runs) answers.push(await answerOf(run, ctx));
    return { answers, home };
  } finally {
    await close();
  }
}
