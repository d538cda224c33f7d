import type { Command } from 'commander';
import { printable } from '../../wording/printable.ts';
import { counted, grouped, showTime, span } from '../../wording/words.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import type { Io } from '../io.ts';
import { feedOf, ifInstalled, loadFor } from '../session.ts';

const HELP = `
Nothing is taken, recorded or changed, here or at the supplier's; no installation is needed.
To take the file, use \`offerline ingest FEED\`.

Examples:
  offerline pull north --list
  offerline pull north --list --all
`;

/** Files that are shown without `--all`. */
const SHOWN = 50;

/** Adds `pull`: what a feed's place holds, and what of it would be taken. */
export function define(program: Command, io: Io): void {
  program
    .command('pull')
    .description('Show what the place of a feed holds now, what would be taken, and why the rest would not.')
    .argument('<feed>', 'a feed of the configuration')
    .requiredOption('--list', 'look, and take nothing')
    .option('--all', `show every file, not only the first ${SHOWN}`)
    .option('--json', 'answer with one JSON value, of all files')
    .addHelpText('after', HELP)
    .action(async (feed: string, options: { all?: true; json?: true }, command: Command) => {
      const loaded = await loadFor(command, io);
      const settings = await feedOf(feed, loaded);
      const { source } = settings;
      const [{ lookAt }, { pushedFiles }, { pastOf, withoutPast }] = await Promise.all([
        import('../../pull/look-at.ts'),
        import('../../jobs/push/pushed-files.ts'),
        import('../../jobs/feeds/place-of-feed.ts'),
      ]);
      const signal = io.stopSignal();
      const look = async (ctx: Context) => {
        const past = await pastOf(feed, source, ctx);
        if (source.type !== 'push') return { past };
        // What was pushed is in the ledger, which is closed afterwards.
        return { past, pushed: await lookAt(source, past, signal, pushedFiles(source, ctx)) };
      };
      const { past, pushed = { place: `push:${feed}`, files: [] } } = (await ifInstalled(loaded, io, look)) ?? {};
      const found = source.type === 'push' ? pushed : await lookAt(source, past ?? withoutPast(settings), signal);
      if (found === null) {
        const message = `The feed ${feed} asks with POST, which may have effects: nothing can be listed. \`offerline ingest ${feed}\` takes the file.`;
        throw new OfferlineError('usage', message);
      }
      if (options.json === true) {
        const files = found.files.map(({ identity: _identity, ...file }) => file);
        return io.json({ feed, ...found, files });
      }
      const { table } = await import('../table.ts');
      const shown = options.all === true ? found.files : found.files.slice(0, SHOWN);
      const now = Date.now();
      const rows = shown.map(({ name, size, modifiedAt, decision, why }) => [
        printable(name),
        size === null ? '' : grouped(size),
        showTime(modifiedAt),
        modifiedAt === null ? '' : age(now - modifiedAt),
        decision,
        why,
      ]);
      io.out(`${found.place}\n`);
      if (rows.length === 0) return io.out('The folder is empty.');
      io.out(table(['file', 'bytes', 'changed (UTC)', 'age', '', 'why'], rows, { numeric: ['bytes', 'age'] }));
      const more = found.files.length - shown.length;
      if (more > 0) io.out(`\n… and ${grouped(more)} more (--all shows ${counted(found.files.length, 'file')})`);
    });
}

/** How long ago a file changed by the clock of its place, which may be ahead of ours. */
function age(ms: number): string {
  return ms < 0 ? 'in the future' : span(ms);
}
