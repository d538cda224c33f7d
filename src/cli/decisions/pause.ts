import type { Command } from 'commander';
import { decisionOf } from './decision.ts';
import type { Io } from '../io.ts';
import { withSession } from '../session.ts';

/** Adds `pause`: stop a login or feed. */
export function define(program: Command, io: Io): void {
  program
    .command('pause')
    .description('Stop the schedules and uploads of a login or feed.')
    .argument('<name>', 'a login or a feed; write login:NAME or feed:NAME if both have that name')
    .requiredOption('--reason <text>', 'why; recorded with your name')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline pause north --reason "supplier is migrating its system"\n')
    .action((name: string, options: { reason: string; json?: true }, command: Command) =>
      withSession(command, io, async ({ ctx }) => {
        const { pausable, pause } = await import('../../jobs/decisions/pause.ts');
        const what = pausable(name, ctx);
        await pause(what, decisionOf(options.reason), ctx);
        if (options.json === true) io.json({ ...what, paused: true });
        else io.out(`The ${what.kind} ${what.name} is now paused.`);
      }),
    );
}
