import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { withReader } from '../session.ts';

/** Adds `logins`: the state of each login. */
export function define(program: Command, io: Io): void {
  program
    .command('logins')
    .description('Show the state of each login: its live dataset and its open upload.')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', '\nExample:\n  offerline logins --json\n')
    .action((options: { json?: true }, command: Command) =>
      withReader(command, io, async ({ ctx }) => {
        const { loginStates } = await import('../../jobs/standing/login-state.ts');
        const states = await loginStates(ctx);
        if (options.json === true) return io.json(states);
        io.out((await import('./describe-logins.ts')).describeLogins(states));
      }),
    );
}
