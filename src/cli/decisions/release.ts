import type { Command } from 'commander';
import { decisionOf } from './decision.ts';
import type { Io } from '../io.ts';
import { toDecide } from '../session.ts';

const HELP = `
The next delivery goes through again; \`offerline approve\` releases one that was held in the meantime. A feed that was removed
from the configuration but is kept in the dataset by a guard (see \`offerline feeds\`) leaves it with the next upload.

Example:
  offerline release main --reason "the supplier sent a corrected list"
`;

/** Adds `release`: end a freeze. */
export function define(program: Command, io: Io): void {
  program
    .command('release')
    .description(
      'End the freeze of a feed or of all feeds of a login, or let a feed that is no longer configured leave.',
    )
    .argument('<name>', 'a login or a feed; write login:NAME or feed:NAME if both have that name')
    .requiredOption('--reason <text>', 'why; recorded with your name')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((name: string, options: { reason: string; json?: true }, command: Command) =>
      toDecide(command, io, async ({ ctx }) => {
        const { releasable, release } = await import('../../jobs/decisions/rollback.ts');
        const feeds = await release(await releasable(name, ctx), decisionOf(options.reason), ctx);
        if (options.json === true) io.json({ released: feeds });
        else io.out(`Released: ${feeds.join(', ')}.`);
      }),
    );
}
