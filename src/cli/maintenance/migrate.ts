import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Migrated } from '../../ledger/ledger.ts';
import { OfferlineError } from '../../errors.ts';
import { counted } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { loadFor } from '../session.ts';

const HELP = `
Every start does this by itself when it may. On Postgres, run it with a role that may create tables, so that the role of
every day needs no more than to read and write rows. Exits with 1 if --check finds something to do.

Example:
  DATABASE_URL=postgres://owner@db/offerline offerline migrate
`;

/** Adds `migrate`: the ledger's tables alone. */
export function define(program: Command, io: Io): void {
  program
    .command('migrate')
    .description("Create the ledger's tables, or bring them to this version.")
    .option('--check', 'change nothing, and say what would be done')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action(async (options: { check?: true; json?: true }, command: Command) => {
      const loaded = await loadFor(command, io, 'reads');
      const check = options.check === true;
      const { migrateLedger } = await import('../../ledger/ledger.ts');
      const file = join(loaded.home, 'ledger.sqlite');
      if (loaded.databaseUrl === undefined && !existsSync(file)) {
        throw new OfferlineError(
          'not-found',
          `There is no ledger in ${loaded.home} yet, and DATABASE_URL is not set. The first \`offerline up\` creates one.`,
        );
      }
      const migrated = await migrateLedger({ file, databaseUrl: loaded.databaseUrl }, { check });
      if (options.json === true) io.json(migrated);
      else for (const line of linesOf(migrated)) io.out(line);
      io.exit(migrated.pending.length === 0 ? 0 : 1);
    });
}

function* linesOf({ version, migrated, pending }: Migrated): Generator<string> {
  yield `ledger   ${version}`;
  for (const name of pending) yield `pending  ${name}`;
  for (const name of migrated) yield `done     ${name}`;
  yield '';
  if (pending.length > 0) yield `${counted(pending.length, 'migration')} to be run: \`offerline migrate\`.`;
  else if (migrated.length > 0) yield `The tables are those of this version: ${counted(migrated.length, 'migration')}.`;
  else yield 'The tables are those of this version; nothing to do.';
}
