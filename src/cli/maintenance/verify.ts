import type { Command } from 'commander';
import type { Verified } from '../../jobs/maintenance/verify.ts';
import { counted, grouped } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { withSession } from '../session.ts';

const HELP = `
Reads every file in the archive, checks the ledger's database, and looks for each file that the ledger refers to. --repair
rebuilds files from what they were made of, and only if the result has exactly the same bytes.
Exits with 1 if something is wrong and was not repaired.

Example:
  offerline verify --repair
`;

/** Adds `verify`: is everything that was stored intact? */
export function define(program: Command, io: Io): void {
  program
    .command('verify')
    .description('Check the ledger and the archive: every hash, every reference.')
    .option(
      '--repair',
      'rebuild damaged and missing files where possible, and remove damaged files that are not referenced',
    )
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((options: { repair?: true; json?: true }, command: Command) =>
      withSession(
        command,
        io,
        async ({ ctx }) => {
          const { verifyAll } = await import('../../jobs/maintenance/verify.ts');
          const verified = await verifyAll({ repair: options.repair === true }, ctx, io.stopSignal());
          if (options.json === true) io.json(verified);
          else for (const line of linesOf(verified)) io.out(line);
          io.exit(verified.ok ? 0 : 1);
        },
        options.repair === true ? 'decides' : 'writes',
      ),
    );
}

function* linesOf({ ok, ledger, files, bytes, references, faults }: Verified): Generator<string> {
  yield `ledger   ${ledger.version}: ${ledger.problems.length === 0 ? 'intact' : 'DAMAGED'}`;
  for (const problem of ledger.problems) yield `         ${problem}`;
  if (ledger.problems.length > 0)
    yield '         Stop all workers, move the ledger aside and restore it from a backup.';
  yield `archive  ${counted(files, 'file')} read, ${(bytes / 1e6).toFixed(1)} MB; the ledger refers to ${grouped(references)}`;
  for (const { path, damage, names, feeds, live, repaired, advice } of faults) {
    yield `\n${damage.toUpperCase()}${live ? ', needed for what is live' : ''}: ${path}`;
    for (const name of names.slice(0, 5)) yield `  ${name}${feeds.length === 0 ? '' : ` (${feeds.join(', ')})`}`;
    if (names.length === 0) yield '  not referenced';
    yield repaired ? `  ${names.length === 0 ? 'removed' : 'repaired'}` : `  ${advice}`;
  }
  const left = faults.filter((fault) => !fault.repaired).length;
  yield '';
  if (ok) yield faults.length === 0 ? 'Everything is intact.' : 'Everything is intact again.';
  else if (left > 0) yield `${left} of ${counted(faults.length, 'damaged or missing file')} could not be repaired.`;
  else yield 'The ledger is damaged.';
}
