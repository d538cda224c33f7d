import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { HEARTBEAT, NAME, SERVES, stay, type Stay } from './up.ts';

/** Adds `worker`: a worker only, for more machines. */
export function define(program: Command, io: Io): void {
  program
    .command('worker')
    .description('Run only a worker, for an installation whose schedules run elsewhere.')
    .option('--heartbeat <file>', HEARTBEAT)
    .option('--name <name>', NAME)
    .option('--serves <labels>', SERVES)
    .addHelpText('after', '\nExample:\n  REDIS_URL=redis://queue:6379 offerline worker\n')
    .action((options: Stay, command: Command) => stay(command, io, { ...options, schedules: false }));
}
