import type { Command } from 'commander';
import type { PrunedKind } from '../../jobs/maintenance/prune.ts';
import { showTime } from '../../wording/words.ts';
import type { Io } from '../io.ts';
import { withSession } from '../session.ts';

const HELP = `
Never removes what is live, held, open or waiting, or what a rollback can go back to.
A running \`offerline up\` prunes once a day.

Example:
  offerline prune --dry-run
`;

/** What each kind is, for people. */
const KINDS: Record<PrunedKind['kind'], string> = {
  deliveries: 'deliveries and accepted rows',
  datasets: 'datasets',
  reports: 'reports, issues and rejections',
  leftovers: 'unreferenced files',
  rehearsals: 'rehearsals',
  temporary: 'left temporary folders',
};

/** Adds `prune`: apply `keep` now. */
export function define(program: Command, io: Io): void {
  program
    .command('prune')
    .description('Remove from the archive and the ledger what is older than the `keep` settings allow.')
    .option('--dry-run', 'show what would be removed, without removing anything')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((options: { dryRun?: true; json?: true }, command: Command) =>
      withSession(
        command,
        io,
        async ({ ctx }) => {
          const { prune } = await import('../../jobs/maintenance/prune.ts');
          const { dryRun, kinds } = await prune({ dryRun: options.dryRun === true }, ctx, io.stopSignal());
          if (options.json === true) return io.json({ dryRun, kinds });
          const { table } = await import('../table.ts');
          const rows = kinds.map(({ kind, count, bytes, oldest }) => [
            KINDS[kind],
            String(count),
            megabytes(bytes),
            showTime(oldest),
          ]);
          io.out(table(['what', 'count', 'MB', 'oldest (UTC)'], rows, { numeric: ['count', 'MB'] }));
          io.out(
            `\n${kinds.every(({ count }) => count === 0) ? 'There is nothing to remove.' : dryRun ? 'Nothing has been removed; this is what would be.' : 'Done.'}`,
          );
        },
        options.dryRun !== true ? 'decides' : 'writes',
      ),
    );
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
