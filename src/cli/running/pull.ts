import type { Command } from 'commander';
import { printable } from '../../wording/printable.ts';
import { OfferlineError } from '../../errors.ts';
import type { Io } from '../io.ts';
import { feedOf, ifInstalled, loadFor, stopSignal } from '../session.ts';

const HELP = `
Nothing is taken, recorded or changed, here or at the supplier's; no installation is needed.
To take the file, use \`offerline ingest FEED\`.

Example:
  offerline pull north --list
`;

/** Adds `pull`: what a feed's place holds, and what of it would be taken. */
export function define(program: Command, io: Io): void {
  program
    .command('pull')
    .description('Show what the place of a feed holds now, what would be taken, and why the rest would not.')
    .argument('<feed>', 'a feed of the configuration')
    .requiredOption('--list', 'look, and take nothing')
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action(async (feed: string, options: { json?: true }, command: Command) => {
      const loaded = await loadFor(command);
      const { source } = await feedOf(feed, loaded);
      const [{ lookAt }, { pastOf }] = await Promise.all([
        import('../../pull/look-at.ts'),
        import('../../jobs/feeds/place-of-feed.ts'),
      ]);
      const past = await ifInstalled(loaded, (ctx) => pastOf(feed, source, ctx));
      const found = await lookAt(source, past ?? undefined, stopSignal());
      if (found === null) {
        const message = `The feed ${feed} asks with POST, which may have effects: nothing can be listed. \`offerline ingest ${feed}\` takes the file.`;
        throw new OfferlineError('usage', message);
      }
      if (options.json === true) return io.json({ feed, ...found });
      const { showTime, table } = await import('../table.ts');
      const rows = found.files.map(({ name, size, modifiedAt, decision, why }) => [
        printable(name),
        size === null ? '' : String(size),
        modifiedAt === null ? '' : showTime(modifiedAt),
        decision,
        why,
      ]);
      io.out(`${found.place}\n`);
      if (rows.length === 0) return io.out('The folder is empty.');
      io.out(table(['file', 'bytes', 'changed', '', 'why'], rows));
    });
}
