import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Problem } from '../../config/read/problem.ts';
import { OfferlineError, STATUS } from '../../errors.ts';
import type { Io } from '../io.ts';

type CheckAnswer = { valid: boolean; file: string; problems: Problem[]; warnings: Problem[] };

/** Adds `config check`, `config schema`, `config show` and `config diff`. */
export function define(program: Command, io: Io): void {
  const config = program
    .command('config')
    .description(
      'Check the configuration file, print its JSON Schema, or show the settings in effect and what they change.',
    )
    .addHelpText('after', '\nExample:\n  offerline config check --config config/offerline.yaml\n');
  config
    .command('check')
    .description('Report all problems in the configuration at once, with file, line and path; exit 0 or 2.')
    .option('--json', 'one JSON value: {valid, file, problems, warnings}')
    .addHelpText('after', '\nExample:\n  offerline config check --json\n')
    .action(async (options: { json?: boolean }) => {
      const answer = await check(program.opts(), io);
      if (options.json === true) io.json(answer);
      else await print(answer, io);
      io.exit(answer.valid ? 0 : STATUS.config.exit);
    });
  config
    .command('schema')
    .description('Print the JSON Schema of the configuration, for editors.')
    .addHelpText('after', '\nExample:\n  offerline config schema > offerline.schema.json\n')
    .action(async () => {
      const { configJsonSchema } = await import('../../config/schema/json-schema.ts');
      io.out(JSON.stringify(configJsonSchema(), null, 2));
    });
  config
    .command('show')
    .description('Show the settings in effect for a feed as YAML to paste, each with where it comes from.')
    .argument('<feed>', 'a feed of the configuration')
    .option('--json', 'one JSON value: {feed, login, file, settings: [{path, value, from, shown}]}')
    .addHelpText('after', SHOW_HELP)
    .action(async (feed: string, options: { json?: boolean }, command: Command) => show(feed, options, command, io));
  config
    .command('diff')
    .description(
      'Say which feeds have other settings than their live deliveries were read with, and what these change.',
    )
    .argument('[feeds...]', 'feeds of the configuration; all of them by default')
    .option('--json', 'one JSON value: {feeds: [{feed, login, state, run, diff, why}]}')
    .addHelpText('after', DIFF_HELP)
    .action(async (feeds: string[], options: { json?: boolean }, command: Command) => {
      const { diffConfig } = await import('./config-diff.ts');
      await diffConfig(feeds, options.json === true, command, io);
    });
}

const DIFF_HELP = `
Nothing is recorded and nothing is sent: the archived delivery is read again in a temporary folder, and what would be accepted of it is
compared with what was. Settings are for what is delivered next where changes are live: a full list brings them to all rows. Guards and other feeds are not asked; a rehearsal does (\`offerline ingest FEED --rehearse\`).

Example:
  offerline config diff north
`;

const SHOW_HELP = `
Where a setting comes from stands beside it: the file and line, "default", the login that the feed takes it from, or the person
who accepted a column. Passwords and tokens are not shown.

Example:
  offerline config show north
`;

async function show(feed: string, { json }: { json?: boolean }, command: Command, io: Io): Promise<void> {
  const [{ feedOf, ifInstalled, loadFor }, { effectiveSettings }, { showPath }] = await Promise.all([
    import('../session.ts'),
    import('../../config/show/effective.ts'),
    import('../../config/read/path.ts'),
  ]);
  const loaded = await loadFor(command, io);
  const { login } = await feedOf(feed, loaded);
  const accepted = await ifInstalled(loaded, io, async (ctx) => {
    const { shownAcceptances } = await import('../../jobs/queries/shown-acceptances.ts');
    return shownAcceptances(feed, ctx);
  });
  const source = { ...loaded, file: basename(loaded.file) };
  const settings = effectiveSettings(feed, accepted ?? [], source);
  if (json === true) {
    const shown = settings.map(({ path, ...setting }) => ({ path: showPath(path), ...setting }));
    return io.json({ feed, login, file: loaded.file, settings: shown });
  }
  const { asYaml } = await import('../../config/show/as-yaml.ts');
  io.out(`# The settings in effect for the feed ${feed} of the login ${login}, from ${loaded.file}`);
  io.out(asYaml(settings));
}

async function check(options: { config?: string; home?: string }, io: Io): Promise<CheckAnswer> {
  const [{ loadConfig }, { LISTS }] = await Promise.all([
    import('../../config/load.ts'),
    import('../../app/lists/lists.ts'),
  ]);
  try {
    const loaded = await loadConfig({ file: options.config, home: options.home, env: io.env, lists: LISTS });
    return { valid: true, file: loaded.file, problems: [], warnings: loaded.warnings };
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code !== 'config') throw error;
    return { valid: false, ...(error.details as Pick<CheckAnswer, 'file' | 'problems' | 'warnings'>) };
  }
}

async function print({ valid, file, problems, warnings }: CheckAnswer, io: Io): Promise<void> {
  const { showProblems } = await import('../../config/read/problem.ts');
  if (problems.length > 0) io.out(showProblems(problems));
  if (warnings.length > 0) {
    io.out(showProblems(warnings.map((warning) => ({ ...warning, message: `warning: ${warning.message}` }))));
  }
  const counts = `${count(problems.length, 'problem')}, ${count(warnings.length, 'warning')}`;
  if (valid) return io.note(`${file} is valid: ${counts}.`);
  const wrong = [...new Set(problems.map((problem) => problem.file))];
  io.note(`${wrong.join(' and ')} ${wrong.length === 1 ? 'is' : 'are'} not valid: ${counts}.`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
