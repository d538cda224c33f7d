import type { Command } from 'commander';
import type { Io } from './io.ts';
import { stay } from './up.ts';

/** Adds `worker`: a worker only, for more machines. */
export function define(program: Command, io: Io): void {
  program
    .command('worker')
    .description('Run a worker only: more hands for an installation whose schedules run elsewhere.')
    .addHelpText('after', '\nExample:\n  REDIS_URL=redis://queue:6379 offerline worker\n')
    .action((_options: unknown, command: Command) => stay(command, io, { schedules: false }));
}
