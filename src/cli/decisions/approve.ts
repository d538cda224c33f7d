import type { Command } from 'commander';
import { finishRun } from '../running/ingest.ts';
import type { Io } from '../io.ts';
import { withSession } from '../session.ts';
import { decisionOf } from './decision.ts';

/** Adds `approve`: release a held contribution. */
export function define(program: Command, io: Io): void {
  program
    .command('approve')
    .description('Release a held run: its rows are uploaded without being checked by a guard again.')
    .argument('<run>', 'a held run; `offerline runs --outcome held` lists them')
    .requiredOption('--reason <text>', 'why; recorded with your name')
    .option('--wait', 'work in this process until the outcome is known')
    .option('--json', 'answer with one JSON value')
    .addHelpText(
      'after',
      '\nExample:\n  offerline approve 20261121-060000-k3f9x --reason "season end, checked by phone" --wait\n',
    )
    .action((run: string, options: { reason: string; wait?: true; json?: true }, command: Command) =>
      withSession(command, async (session) => {
        const { approveRun } = await import('../../jobs/decisions/review.ts');
        await approveRun(run, decisionOf(options.reason), session.ctx);
        await finishRun(run, options, session, io);
      }),
    );
}
