import type { Command } from 'commander';
import type { ShortRun } from '../../jobs/standing/lists/runs.ts';
import { OUTCOMES } from '../../jobs/standing/tone.ts';
import type { Outcome } from '../../model.ts';
import { OfferlineError } from '../../errors.ts';
import { showTime } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { withReader } from '../session.ts';
import { wholeNumber } from './page-option.ts';
import { readSince, type Since } from '../since.ts';

type Options = { feed?: string; login?: string; outcome?: string; since?: Since; limit: number; json?: true };

/** Adds `runs`: what happened, newest first. */
export function define(program: Command, io: Io): void {
  program
    .command('runs')
    .description('List runs, newest first.')
    .option('--feed <feed>', 'only runs of this feed')
    .option('--login <login>', 'only runs of this login')
    .option('--outcome <outcomes>', `only with one of these outcomes, separated by commas: ${OUTCOMES.join(', ')}`)
    .option('--since <time>', 'only runs that began after this: 6h, 1d or a date', readSince)
    .option('--limit <number>', 'list at most this many', wholeNumber, 20)
    .option('--json', 'answer with one JSON value')
    .addHelpText(
      'after',
      '\nExample:\n  offerline runs --since 1d --outcome failed,held\n  offerline runs --feed north\n',
    )
    .action((options: Options, command: Command) =>
      withReader(command, io, async ({ ctx }) => {
        assertKnown('feed', options.feed, Object.keys(ctx.config.feeds));
        assertKnown('login', options.login, Object.keys(ctx.config.logins));
        const outcomes = options.outcome?.split(',').map((outcome) => outcome.trim()) as Outcome[] | undefined;
        for (const outcome of outcomes ?? []) assertKnown('outcome', outcome, OUTCOMES);
        const { listRuns } = await import('../../ledger/runs/runs.ts');
        const { feed, login, since, limit } = options;
        const rows = await listRuns(ctx.ledger.db, {
          ...(feed === undefined ? {} : { feed }),
          ...(login === undefined ? {} : { login }),
          ...(outcomes === undefined ? {} : { outcomes }),
          ...(since === undefined ? {} : { since: since(ctx.clock.now()) }),
          limit,
        });
        const { shortRun } = await import('../../jobs/standing/lists/runs.ts');
        const runs = rows.map(shortRun);
        if (options.json === true) io.json(runs);
        else await show(runs, io);
      }),
    );
}

async function show(rows: ShortRun[], io: Io): Promise<void> {
  if (rows.length === 0) return io.out('No runs.');
  const [{ table }, { toneOf }] = await Promise.all([import('../table.ts'), import('../../jobs/standing/tone.ts')]);
  const lines = rows.map(({ run, feed, outcome, outcomeCause, stage, createdAt, delivery, reason }) => [
    run,
    feed,
    {
      text: outcomeCause === 'superseded' ? `${outcome} (${outcomeCause})` : (outcome ?? `(${stage})`),
      tone: toneOf(outcome),
    },
    showTime(createdAt),
    delivery ?? '',
    reason ?? '',
  ]);
  io.styled(table(['run', 'feed', 'outcome', 'started (UTC)', 'file', 'reason'], lines, { color: io.color }));
}

/** Fails with `usage` for a name that is not one of the known ones. */
export function assertKnown(what: string, name: string | undefined, known: string[]): void {
  if (name === undefined || known.includes(name)) return;
  throw new OfferlineError('usage', `There is no ${what} "${name}". Known: ${known.join(', ') || 'none'}.`);
}
