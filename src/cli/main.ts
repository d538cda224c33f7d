import { Command, CommanderError } from 'commander';
import { messageOf, OfferlineError, STATUS } from '../errors.ts';
import { processIo, type Io } from './io.ts';

/** Every command's file exports `define`, which adds the command to the program; heavy imports belong in its action. */
type CommandModule = { define: (program: Command, io: Io) => void };

const COMMANDS: Record<string, () => Promise<CommandModule>> = {
  detect: () => import('./detect.ts'),
  check: () => import('./check.ts'),
  sandbox: () => import('./sandbox.ts'),
  config: () => import('./config.ts'),
  up: () => import('./up.ts'),
  worker: () => import('./worker.ts'),
  ingest: () => import('./ingest.ts'),
  runs: () => import('./runs.ts'),
  show: () => import('./show.ts'),
  report: () => import('./report.ts'),
  rerun: () => import('./rerun.ts'),
  approve: () => import('./approve.ts'),
  reject: () => import('./reject.ts'),
  pause: () => import('./pause.ts'),
  resume: () => import('./resume.ts'),
  trace: () => import('./trace.ts'),
  feeds: () => import('./feeds.ts'),
  logins: () => import('./logins.ts'),
  doctor: () => import('./doctor.ts'),
};

async function main(argv: string[]): Promise<void> {
  const io = processIo(process.env);
  const program = new Command('offerline')
    .description("Turns suppliers' offer files into a login's live dataset, one upload at a time.")
    .option('--config <file>', 'configuration file (OFFERLINE_CONFIG)')
    .option('--home <folder>', 'state: ledger, archive, reports (OFFERLINE_HOME)')
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText('after', '\nExample:\n  offerline ingest north --wait\n  offerline check price-list.zip\n');
  await defineCommands(program, io, argv);
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    report(error, io);
  }
}

/** Loads only the command that was asked for; all of them for help, or when none of that name exists. */
async function defineCommands(program: Command, io: Io, argv: string[]): Promise<void> {
  const asked = argv.find((word) => Object.hasOwn(COMMANDS, word));
  const loads = asked === undefined ? Object.values(COMMANDS) : [COMMANDS[asked]!];
  for (const load of loads) (await load()).define(program, io);
}

function report(error: unknown, io: Io): void {
  if (error instanceof CommanderError) {
    io.exit(error.exitCode === 0 ? 0 : STATUS.usage.exit);
  } else if (error instanceof OfferlineError) {
    io.note(error.message);
    io.exit(STATUS[error.code].exit);
  } else {
    io.note(`offerline failed: ${messageOf(error)}`);
    if (error instanceof Error && error.stack !== undefined) io.note(error.stack);
    io.exit(STATUS.internal.exit);
  }
}

await main(process.argv.slice(2));
