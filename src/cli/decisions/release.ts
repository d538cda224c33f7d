import type { Command } from 'commander';
import { decisionOf } from './decision.ts';
import type { Io } from '../io.ts';
import { withSession } from '../session.ts';

const HELP = `
The next delivery goes through again; one that was held meanwhile is released by \`offerline approve\`. A feed that was taken
out of the configuration and that a guard keeps in the dataset (\`offerline feeds\`) leaves it with the next upload.

Example:
  offerline release main --reason "the supplier sent a corrected list"
`;

/** Adds `release`: end a freeze. */
export function define(program: Command, io: Io): void {
  program
    .command('release')
    .description(
      'End the freeze of a feed or of all feeds of a login, or let a feed leave that is no longer configured.',
    )
    .argument('<name>', 'a login or a feed; login:NAME or feed:NAME when both have that name')
    .requiredOption('--reason <text>', 'why; kept with your name')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((name: string, options: { reason: string; json?: true }, command: Command) =>
      withSession(command, async ({ ctx }) => {
        const { releasable, release } = await import('../../jobs/decisions/rollback.ts');
        const feeds = await release(await releasable(name, ctx), decisionOf(options.reason), ctx);
        if (options.json === true) io.json({ released: feeds });
        else io.out(`Released: ${feeds.join(', ')}.`);
      }),
    );
}
