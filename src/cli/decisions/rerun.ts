import { Option, type Command } from 'commander';
import { finishRun } from '../running/ingest.ts';
import type { Io } from '../io.ts';
import { withSession } from '../session.ts';

type Options = { from: 'pull' | 'validate' | 'upload' | 'report'; wait?: true; json?: true };

const HELP = `
  pull      fetch the file from the feed's source again
  validate  read the archived file again, with the current settings
  upload    compose the archived accepted rows afresh with the current rows of the login's other feeds, and upload
  report    only write the report of this run again

Example:
  offerline rerun 20261121-060000-k3f9x --from validate --wait
`;

/** Adds `rerun`: again from a stage, with the archived bytes. */
export function define(program: Command, io: Io): void {
  program
    .command('rerun')
    .description('Run again from a given stage; every stage but pull uses the archived bytes.')
    .argument('<run>', 'the id of a run; see `offerline runs`')
    .addOption(
      new Option('--from <stage>', 'where to start').choices(['pull', 'validate', 'upload', 'report']).default('pull'),
    )
    .option('--wait', 'work in this process until the outcome is known')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((run: string, options: Options, command: Command) =>
      withSession(command, async (session) => {
        const { rerun } = await import('../../jobs/decisions/rerun.ts');
        const again = await rerun(run, { from: options.from, wait: options.wait === true }, session.ctx);
        await finishRun(again, options, session, io);
      }),
    );
}
