import { Command, CommanderError } from 'commander';
import { messageOf, OfferlineError, STATUS, type ErrorCode } from '../errors.ts';
import { VERSION } from '../version.ts';
import { forgetCredentials, redact } from '../wording/redact.ts';
import type { Io } from './io.ts';

/** Every command's file exports `define`, which adds the command to the program; heavy imports belong in its action. */
type CommandModule = { define: (program: Command, io: Io) => void };

const COMMANDS: Record<string, () => Promise<CommandModule>> = {
  detect: () => import('./files/detect.ts'),
  check: () => import('./files/check.ts'),
  init: () => import('./init/init.ts'),
  sandbox: () => import('./sandbox/sandbox.ts'),
  config: () => import('./maintenance/config.ts'),
  up: () => import('./running/up.ts'),
  worker: () => import('./running/worker.ts'),
  pull: () => import('./running/pull.ts'),
  ingest: () => import('./running/ingest.ts'),
  status: () => import('./status/status.ts'),
  runs: () => import('./queries/runs.ts'),
  show: () => import('./queries/show.ts'),
  report: () => import('./queries/report.ts'),
  'supplier-mail': () => import('./queries/supplier-mail.ts'),
  mails: () => import('./queries/mails.ts'),
  rerun: () => import('./decisions/rerun.ts'),
  approve: () => import('./decisions/approve.ts'),
  reject: () => import('./decisions/reject.ts'),
  requests: () => import('./decisions/requests.ts'),
  pause: () => import('./decisions/pause.ts'),
  resume: () => import('./decisions/resume.ts'),
  trace: () => import('./queries/trace.ts'),
  compare: () => import('./queries/compare.ts'),
  explain: () => import('./queries/explain.ts'),
  resolve: () => import('./decisions/resolve.ts'),
  rollback: () => import('./decisions/rollback.ts'),
  release: () => import('./decisions/release.ts'),
  feeds: () => import('./queries/feeds.ts'),
  logins: () => import('./queries/logins.ts'),
  incidents: () => import('./incidents/incidents.ts'),
  scorecard: () => import('./queries/scorecard.ts'),
  hooks: () => import('./hooks/hooks.ts'),
  service: () => import('./service/service.ts'),
  dossier: () => import('./service/dossier.ts'),
  expect: () => import('./expect/expect.ts'),
  rules: () => import('./rules/rules.ts'),
  findability: () => import('./search/findability.ts'),
  propose: () => import('./search/propose.ts'),
  prune: () => import('./maintenance/prune.ts'),
  verify: () => import('./maintenance/verify.ts'),
  migrate: () => import('./maintenance/migrate.ts'),
  archive: () => import('./maintenance/archive.ts'),
  backup: () => import('./maintenance/backup.ts'),
  restore: () => import('./maintenance/restore.ts'),
  doctor: () => import('./maintenance/doctor.ts'),
  user: () => import('./access/user.ts'),
  token: () => import('./access/token.ts'),
  'supplier-page': () => import('./access/supplier-page.ts'),
  api: () => import('./api/api.ts'),
  completion: () => import('./maintenance/completion.ts'),
};

/** Carries out one command; what it answers, its remarks and its exit status go to `io`. It never throws. */
export async function main(argv: string[], io: Io): Promise<void> {
  forgetCredentials();
  const program = new Command('offerline')
    .description("Turn suppliers' offer files into a login's live dataset, one upload at a time.")
    .version(VERSION)
    .option('--config <file>', 'configuration file (OFFERLINE_CONFIG)')
    .option('--home <folder>', 'state: ledger, archive, reports (OFFERLINE_HOME)')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void io.stdout.write(text), writeErr: (text) => io.note(text.trimEnd()) })
    .showSuggestionAfterError()
    .addHelpText('after', '\nExample:\n  offerline ingest north --wait\n  offerline check price-list.zip\n');
  if (argv[0] === '__complete') return complete(program, io, argv.slice(1));
  try {
    await refuseUnknown(argv);
    await defineCommands(program, io, argv);
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    report(error, io, argv.includes('--json'));
  }
}

/** Answers a shell's completion script, whose `--` ends the options: one fitting word per line, and never an error. */
async function complete(program: Command, io: Io, words: string[]): Promise<void> {
  await defineCommands(program, io, []);
  const { candidates } = await import('./completion/candidates.ts');
  const found = await candidates(program, words[0] === '--' ? words.slice(1) : words, io.env).catch(() => []);
  for (const word of found) io.out(word);
}

/** Options whose value could be mistaken for a command. */
const VALUED = ['--config', '--home'];

/** Refuses a command that is known from elsewhere; the program itself refuses the others. */
async function refuseUnknown(argv: string[]): Promise<void> {
  const word = argv.find((one, at) => !one.startsWith('-') && !VALUED.includes(argv[at - 1] ?? ''));
  if (word === undefined || Object.hasOwn(COMMANDS, word)) return;
  const { refuseHabit } = await import('./habits.ts');
  refuseHabit(word);
}

/** Loads only the command that was asked for; all of them for help, or when none of that name exists. */
async function defineCommands(program: Command, io: Io, argv: string[]): Promise<void> {
  const asked = argv.find((word, at) => Object.hasOwn(COMMANDS, word) && !VALUED.includes(argv[at - 1] ?? ''));
  const loads = asked === undefined ? Object.values(COMMANDS) : [COMMANDS[asked]!];
  for (const load of loads) (await load()).define(program, io);
}

/** Reports an error and sets the exit status; with --json the error is the one value, unless there was an answer already. */
function report(error: unknown, io: Io, json: boolean): void {
  const code = codeOf(error);
  if (code === null) return;
  const message = error instanceof CommanderError ? error.message.replace(/^error: /, '') : messageOf(error);
  // Commander has said its own errors already.
  if (code === 'internal' && !(error instanceof OfferlineError)) {
    io.note(`offerline failed: ${message}`);
    if (error instanceof Error && error.stack !== undefined) io.note(redact(error.stack));
  } else if (!(error instanceof CommanderError)) io.note(message);
  if (json && !io.answered()) io.json({ error: { code, message } });
  io.exit(STATUS[code].exit);
}

/** Null for `--help` and `--version`, which end well. */
function codeOf(error: unknown): ErrorCode | null {
  if (error instanceof CommanderError) return error.exitCode === 0 ? null : 'usage';
  return error instanceof OfferlineError ? error.code : 'internal';
}
