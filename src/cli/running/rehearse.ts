import type { Command } from 'commander';
import type { LoadedConfig } from '../../config/load.ts';
import type { Rehearsing } from '../../jobs/rehearse/in-rehearsal.ts';
import type { RunAnswer } from '../../model.ts';
import { exitOf } from './exit-of.ts';
import type { Io } from '../io.ts';
import { loadFor, logFor } from '../session.ts';

type Options = { file?: string; force?: true; strict?: true; json?: true };

/** The first line of what a rehearsal says. */
export const REHEARSAL = 'REHEARSAL against a private sandbox: nothing real was touched.';

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
  const loaded = await loadFor(command, io);
  const login = await loginOf(loaded);
  const quiet = options.json === true;
  const { rehearseFeeds } = await import('../../jobs/rehearse/rehearse-feeds.ts');
  const { file, force } = options;
  const { answers, home } = await rehearseFeeds(
    { feeds: [feed], login, file, force },
    await following(loaded, io, { quiet }),
  );
  const [answer] = answers as [RunAnswer];
  if (quiet) io.json({ ...answer, rehearsal: true, home });
  else {
    const { showAnswer } = await import('../queries/show-answer.ts');
    io.out(`${REHEARSAL}\n\n${showAnswer(answer, { rehearsal: true })}\nrehearsal  ${home}`);
  }
  if (!quiet && answer.outcome === 'held') {
    const set = answer.cause === 'columns' ? `Set feeds.${feed}.columns and rehearse again, or run` : 'Run';
    io.note(
      `The run ${answer.run} exists in the rehearsal only. ${set} \`offerline ingest ${feed}\` and decide about that run.`,
    );
  }
  io.exit(exitOf(answer, options.strict === true));
}

/** How a command follows a rehearsal: `quiet` while it only answers with JSON. */
export async function following(loaded: LoadedConfig, io: Io, { quiet }: { quiet: boolean }): Promise<Rehearsing> {
  return {
    loaded,
    log: await logFor(loaded, io),
    signal: io.stopSignal(),
    note: io.progress,
    say: (text, step) => (quiet ? undefined : io.progress(text, step)),
    gauge: io.gauge,
  };
}
