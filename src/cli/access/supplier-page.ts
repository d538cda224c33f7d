import { Option, type Command } from 'commander';
import type { Config } from '../../config/schema/schema.ts';
import { OfferlineError } from '../../errors.ts';
import { byThisUser } from '../decisions/decision.ts';
import type { Io } from '../io.ts';
import { feedOf, withReader, withSession } from '../session.ts';

const HELP = `
The link opens a page that shows the supplier its last deliveries, what to correct in them and its scorecard, and takes a corrected
file. Whoever has the link needs no account. It is shown this once; only a hash of it is kept. The feed needs supplier.page: true.

Examples:
  offerline supplier-page north
  offerline supplier-page north --rotate
  offerline supplier-page north --end
`;

type Options = { rotate?: boolean; end?: true; endLink?: string; list?: true; json?: true };

/** Adds `supplier-page`: links to the page of a feed's supplier. */
export function define(program: Command, io: Io): void {
  program
    .command('supplier-page')
    .description("Make a link to the page of a feed's supplier, or end its links.")
    .argument('<feed>', 'a feed of the configuration')
    .addOption(new Option('--rotate', 'end all earlier links').conflicts(['end', 'list']))
    .addOption(new Option('--end', 'end all links, and make none').conflicts(['rotate', 'list', 'endLink']))
    .addOption(new Option('--end-link <id>', 'end one link, and make none').conflicts(['rotate', 'list']))
    .addOption(new Option('--list', 'show the links, never their secrets').conflicts(['rotate', 'end']))
    .option('--json', 'answer with one JSON value')
    .addHelpText('after', HELP)
    .action((feed: string, options: Options, command: Command) => {
      assertIsNoLink(feed);
      assertIsNoLink(options.endLink ?? '');
      if (options.list === true) return list(feed, options, command, io);
      const ends = options.end === true || options.endLink !== undefined;
      return ends ? end(feed, options, command, io) : make(feed, options, command, io);
    });
}

/** Fails with `usage` for a link in place of its feed, and does not repeat it. */
function assertIsNoLink(text: string): void {
  if (!/ofs_[\w-]{43}/u.test(text)) return;
  const advice = 'Name its feed; if others saw the link, end it with --rotate or --end';
  throw new OfferlineError('usage', `This is a link to a page, not a feed. ${advice}.`);
}

function make(feed: string, { rotate = false, json }: Options, command: Command, io: Io) {
  return withSession(command, io, async ({ ctx, loaded }) => {
    await feedOf(feed, loaded);
    const { linkAddress, makeLink } = await import('../../access/supplier-links.ts');
    const origin = originOf(ctx.config.web);
    const { id, secret, expires } = await makeLink({ feed, rotate }, byThisUser(), ctx);
    const link = linkAddress(secret, origin);
    if (json === true) return io.json({ id, feed, link, expires });
    const { showTime } = await import('../../wording/words.ts');
    io.out(link);
    io.note(`Link ${id}, until ${showTime(expires)} (UTC): copy it now, it is not shown again.`);
  });
}

/** Where the console is opened; fails with `config` where none is served. */
function originOf({ publicUrl, listen }: Config['web']): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/u, '');
  if (listen === null)
    throw new OfferlineError(
      'config',
      'No console is served, so nobody could open the page. Set web.listen and web.publicUrl in the configuration.',
    );
  return `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`;
}

function end(feed: string, { json, endLink }: Options, command: Command, io: Io) {
  return withSession(command, io, async ({ ctx }) => {
    const { endLinks } = await import('../../access/supplier-links.ts');
    const ended = await endLinks(feed, byThisUser(), ctx, endLink ?? null);
    if (json === true) return io.json({ feed, ended });
    io.out(ended === 1 ? '1 link has ended.' : `${ended} links have ended.`);
  });
}

function list(feed: string, { json }: Options, command: Command, io: Io) {
  return withReader(command, io, async ({ ctx }) => {
    const { listLinks } = await import('../../access/supplier-links.ts');
    const links = (await listLinks(feed, ctx)).map(
      ({ id, created_by: by, created_at: since, expires_at: expires, used_at: used, ended_at: ended, open }) => ({
        id,
        by,
        since,
        expires,
        used,
        ended,
        open,
      }),
    );
    if (json === true) return io.json(links);
    if (links.length === 0) return io.out('No links.');
    const [{ table }, { showTime }] = await Promise.all([import('../table.ts'), import('../../wording/words.ts')]);
    const rows = links.map(({ id, by, since, expires, used, ended, open }) => [
      id,
      by,
      showTime(since),
      showTime(used),
      ended !== null ? `ended ${showTime(ended)}` : open ? `until ${showTime(expires)}` : 'over',
    ]);
    io.out(table(['id', 'made by', 'made (UTC)', 'last opened', 'state'], rows));
  });
}
