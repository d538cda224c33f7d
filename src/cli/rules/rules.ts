import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Io } from '../io.ts';
import { readPeriod } from '../period.ts';
import { feedOf, withReader } from '../session.ts';

type Options = { with?: string; since: number; within?: string; untrusted?: true; json?: true };

const DAY_MS = 86_400_000;
/** A file of settings has some megabytes with a hundred thousand spellings in it. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The longest time that a timer takes. */
const LONGEST_TIMER = 2 ** 31 - 1;

const HELP = `
Archived deliveries are read again in a temporary folder, one after the other, the newest first. Nothing is sent, and nothing is recorded.
--with names a YAML file with what would stand under feeds.NAME: rules, and if you like brands and numbers. Without it the
configuration is tried as it is now. \`offerline rules north --with new.yaml\` with this in new.yaml:

  rules:
    - { name: no stock, when: { stock: { below: 1 } }, leaveOut: true }

Examples:
  offerline rules north
  offerline rules north --with new.yaml --since 90d
`;

/** Adds `rules`: what rules do to archived deliveries, and to what is live. */
export function define(program: Command, io: Io): void {
  program
    .command('rules')
    .description('Try the rules of a feed on its archived deliveries: what each does, and what would be live instead.')
    .argument('<feed>', 'a feed of the configuration')
    .option('--with <file>', 'a YAML file with rules (and brands, numbers) as they would stand under feeds.NAME')
    .addOption(
      new Option('--since <period>', 'how far back: 12h, 30d, 4w').argParser(readPeriod).default(30 * DAY_MS, '30d'),
    )
    .option('--within <time>', 'stop after this time, such as 60s, with what was tried by then')
    .option(
      '--untrusted',
      '--with is from somebody else: it reads no environment, and only files that the feed has already',
    )
    .option('--json', 'one JSON value: {feed, login, since, live, deliveries, left, rules, warnings}')
    .addHelpText('after', HELP)
    .action((feed: string, options: Options, command: Command) =>
      withReader(command, io, async ({ ctx, loaded }) => {
        const { login } = await feedOf(feed, loaded);
        const within = await milliseconds(options.within);
        const { config, warnings } = await configOf(feed, options, loaded);
        for (const warning of warnings) io.note(`warning: ${warning}`);
        const { sayTrial } = await import('./say-trial.ts');
        const answer = await sayTrial({ feed, login, within }, options, { ...ctx, config }, io);
        if (options.json === true) io.json({ ...answer, warnings });
      }),
    );
}

/** The configuration, with what `--with` says in the place of what it says of the feed. */
async function configOf(
  feed: string,
  { with: path, untrusted }: Options,
  loaded: LoadedConfig,
): Promise<{ config: LoadedConfig['config']; warnings: string[] }> {
  if (path === undefined) {
    if (untrusted === true)
      throw new OfferlineError('usage', '--untrusted says something of the file that --with names.');
    return { config: loaded.config, warnings: [] };
  }
  const [{ withTried }, { LISTS }, { showProblems }] = await Promise.all([
    import('../../config/tried-settings.ts'),
    import('../../app/lists/lists.ts'),
    import('../../config/read/problem.ts'),
  ]);
  const file = resolve(path);
  const text = await readText(file, path);
  const { config, warnings } = await withTried(
    loaded,
    { feed, file, text, untrusted: untrusted === true },
    await LISTS(),
  );
  return { config, warnings: warnings.map((warning) => showProblems([warning])) };
}

async function readText(file: string, named: string): Promise<string> {
  try {
    const info = await stat(file);
    if (info.isFile() && info.size > MOST_BYTES)
      throw new OfferlineError('usage', `${named} is larger than 64 MB, which no rules of a feed are (--with).`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof OfferlineError) throw error;
    const code = systemCode(error);
    if (code === 'ENOENT') throw new OfferlineError('usage', `There is no file ${named} (--with).`);
    const why = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8 text' : messageOf(error);
    throw new OfferlineError('usage', `${named} cannot be read: ${why} (--with).`);
  }
}

async function milliseconds(within: string | undefined): Promise<number | undefined> {
  if (within === undefined) return undefined;
  const { duration } = await import('../../config/schema/units.ts');
  const { data, error } = duration.safeParse(within);
  if (data === undefined)
    throw new OfferlineError('usage', `--within ${within} is not valid: ${error.issues[0]!.message}.`);
  return Math.min(data, LONGEST_TIMER);
}
