import type { Command } from 'commander';
import type { PrunedKind } from '../../jobs/maintenance/prune.ts';
import type { Io } from '../io.ts';
import { stopSignal, withSession } from '../session.ts';

const HELP = `
What is live, what a rollback can go back to, what is held, open or waiting is never removed.
A running \`offerline up\` does the same once a day.

Example:
  offerline prune --dry-run
`;

/** What each kind is, for people. */
const KINDS: Record<PrunedKind['kind'], string> = {
  deliveries: 'deliveries and accepted rows',
  datasets: 'datasets',
  reports: 'reports, issues and rejections',
  leftovers: 'files that nothing names',
};

/** Adds `prune`: apply `keep` now. */
export function define(program: Command, io: Io): void {
  program
    .command('prune')
    .description('Remove what is older than `keep` says from the archive and the ledger.')
    .option('--dry-run', 'say what would go, and remove nothing')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((options: { dryRun?: true; json?: true }, command: Command) =>
      withSession(command, async ({ ctx }) => {
        const { prune } = await import('../../jobs/maintenance/prune.ts');
        const { dryRun, kinds } = await prune({ dryRun: options.dryRun === true }, ctx, stopSignal());
        if (options.json === true) return io.json({ dryRun, kinds });
        const { showTime, table } = await import('../table.ts');
        const rows = kinds.map(({ kind, count, bytes, oldest }) => [
          KINDS[kind],
          String(count),
          megabytes(bytes),
          showTime(oldest),
        ]);
        io.out(table(['what', 'count', 'MB', 'oldest (UTC)'], rows, ['count', 'MB']));
        io.out(
          `\n${kinds.every(({ count }) => count === 0) ? 'Nothing goes.' : dryRun ? 'Nothing was removed: this is what would go.' : 'Done.'}`,
        );
      }),
    );
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
