import { dialectOf } from '../../wording/files/dialect.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { OfferlineError, STATUS, systemCode } from '../../errors.ts';
import type { RunAnswer } from '../../model.ts';
import { counted, grouped } from '../../wording/words.ts';
import { printable } from '../../wording/printable.ts';
import type { Io } from '../io.ts';
import { loadFor } from '../session.ts';
import type { Person } from './ask.ts';
import type { FileGroup, Grouped } from './group-files.ts';
import type { FeedProposal } from './propose-feed.ts';

type Options = { rehearse: boolean; json?: true };

/** What was written, and what came of it. */
type Result = {
  file: string;
  feeds: FeedProposal[];
  leftOut: Grouped['leftOut'];
  rehearsal: { answers: RunAnswer[]; home: string } | null;
};

const HELP = `
Files whose names differ only by a date, a week or a long number become one feed; files of one date, files with the same header and other
parts, and lists in a zip become one delivery of several files. A file with stock or prices is joined to the list of its parts, and
changes are put upon the full list beside them. What is not certain is asked on a terminal; elsewhere it is written as a comment
to be confirmed. What is not taken, and how parts go, is said at the end. An existing configuration is never overwritten.

Exit status: 0 if every feed would be live, 3 if one would be held or rejected. The configuration is written either way; not if you end
the questions (130).

Examples:
  offerline init
  offerline init inbox/*.csv
  offerline init suppliers/ --config config/offerline.yaml
`;

/** Adds `init`: from suppliers' files to a rehearsed configuration. */
export function define(program: Command, io: Io): void {
  program
    .command('init')
    .description("Propose a configuration for suppliers' files, write it, and rehearse it.")
    .argument('[paths...]', 'files, or folders with files in them; by default the working folder')
    .option('--no-rehearse', 'only write the configuration')
    .option('--json', 'answer with one JSON value: {config, feeds, leftOut, rehearsal}; asks nothing')
    .addHelpText('after', HELP)
    .action((paths: string[], options: Options, command: Command) => init(paths, options, command, io));
}

async function init(paths: string[], options: Options, command: Command, io: Io): Promise<void> {
  const { config: named } = command.optsWithGlobals<{ config?: string }>();
  const file = resolve(named ?? (io.env['OFFERLINE_CONFIG'] || 'config/offerline.yaml'));
  await assertNew(file);
  const { groupFiles } = await import('./group-files.ts');
  const { groups, leftOut } = await groupFiles(paths.length === 0 ? ['.'] : paths);
  if (groups.length === 0) {
    throw new OfferlineError('usage', "There are no files. Name the suppliers' files, or a folder with them.");
  }
  const signal = io.stopSignal();
  const feeds = await proposeFeeds(groups, { options, leftOut, signal }).catch((error: unknown) => {
    throwIfInterrupted(signal);
    throw error;
  });
  if (feeds.length === 0) {
    const why = leftOut.map(({ file: path, reason }) => `${basename(path)}: ${reason}`).join(' ');
    throw new OfferlineError('file-rejected', `No configuration was written: no file can be read. ${why}`);
  }
  await writeNew(file, feeds);
  if (options.json !== true) io.progress(`Wrote ${file} with ${counted(feeds.length, 'feed')}.`);
  const rehearsal = options.rehearse ? await rehearse(feeds, command, io, options.json === true) : null;
  const result = { file, feeds, leftOut, rehearsal };
  if (options.json === true) io.json(await answerOf(result));
  else await show(result, io);
  const isGood = rehearsal === null ? feeds.every(({ reason }) => reason === null) : rehearsal.answers.every(isLive);
  io.exit(isGood ? 0 : STATUS['file-rejected'].exit);
}

function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new OfferlineError('interrupted', 'Interrupted; no configuration was written.');
}

async function assertNew(file: string): Promise<void> {
  const { stat } = await import('node:fs/promises');
  const found = await stat(file).catch(() => null);
  if (found !== null) throw exists(file);
}

function exists(file: string): OfferlineError {
  const how = 'Edit it, or name a new file with --config; init overwrites nothing.';
  return new OfferlineError('usage', `There is a configuration already: ${file}. ${how}`);
}

type Proposing = { options: Options; leftOut: Grouped['leftOut']; signal: AbortSignal };

async function proposeFeeds(groups: FileGroup[], work: Proposing): Promise<FeedProposal[]> {
  const { options, leftOut, signal } = work;
  const { proposeFeed } = await import('./propose-feed.ts');
  const { joinLists, proposeDated } = await import('./propose-together.ts');
  const asks = options.json !== true && process.stdin.isTTY && process.stderr.isTTY;
  const terminal = asks
    ? (await import('./ask.ts')).openTerminal({ input: process.stdin, output: process.stderr }, signal)
    : null;
  try {
    const found: FeedProposal[] = [];
    for (const group of groups) {
      throwIfInterrupted(signal);
      const proposal =
        (await proposeDated(group, groups, signal)) ?? (await proposeFeed(group, { columns: {}, dialect: {} }, signal));
      if ('detection' in proposal) found.push(proposal);
      else leftOut.push({ file: group.files[0]!, reason: proposal.reason });
    }
    const feeds: FeedProposal[] = [];
    for (const feed of await relate(found, terminal, signal)) {
      throwIfInterrupted(signal);
      feeds.push(terminal === null ? feed : await ask(feed, terminal, signal));
    }
    return await joinLists(feeds, terminal, signal);
  } finally {
    terminal?.close();
  }
}

/** Brings together what is no list of its own: changes with the full lists, and stock or prices with the parts that they are of. */
async function relate(feeds: FeedProposal[], person: Person | null, signal: AbortSignal): Promise<FeedProposal[]> {
  if (feeds.length < 2) return feeds;
  const [{ joinChanges }, { joinPartners }] = await Promise.all([
    import('./propose-changes.ts'),
    import('./propose-join.ts'),
  ]);
  return joinPartners(await joinChanges(feeds, person), person, signal);
}

/** Asks about what is not certain, and reads the file again with the answers. */
async function ask(proposal: FeedProposal, person: Person, signal: AbortSignal): Promise<FeedProposal> {
  const { askDialect, askColumns } = await import('./ask.ts');
  const { proposeFeed } = await import('./propose-feed.ts');
  const again = async (feed: FeedProposal, choice: Pick<FeedProposal, 'columns' | 'dialect'>) => {
    const read = await proposeFeed(feed, choice, signal);
    return 'detection' in read ? read : feed;
  };
  const dialect = await askDialect(proposal, person);
  const known = dialect === proposal.dialect ? proposal : await again(proposal, { columns: {}, dialect });
  const columns = await askColumns(known, person);
  return Object.keys(columns).length === 0 ? known : again(known, { columns, dialect });
}

/** Never replaces a file that another process has written meanwhile. */
async function writeNew(file: string, feeds: FeedProposal[]): Promise<void> {
  const { configText } = await import('./write-config.ts');
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { stageOutput, unwritable } = await import('../files/output-file.ts');
  let staged: Awaited<ReturnType<typeof stageOutput>> = null;
  try {
    await mkdir(dirname(file), { recursive: true });
    staged = await stageOutput('--config', file, 'new');
    await writeFile(staged?.path ?? file, configText(feeds, file, { timezone: timeZone }));
    await staged?.finish();
  } catch (error) {
    if (error instanceof OfferlineError) throw error;
    throw systemCode(error) === 'EEXIST' ? exists(file) : unwritable('--config', file, error);
  } finally {
    await staged?.discard();
  }
}

async function rehearse(feeds: FeedProposal[], command: Command, io: Io, quiet: boolean) {
  const [{ rehearseFeeds }, { following }, { LOGIN }] = await Promise.all([
    import('../../jobs/rehearse/rehearse-feeds.ts'),
    import('../running/rehearse.ts'),
    import('./write-config.ts'),
  ]);
  if (!quiet) io.progress('Rehearsing against a private sandbox; nothing real is touched.');
  const { say, ...rest } = await following(await loadFor(command, io), io, { quiet });
  return rehearseFeeds(
    { feeds: feeds.map(({ name }) => name), login: LOGIN },
    { ...rest, say, note: (text) => say(text) },
  );
}

function isLive({ outcome }: RunAnswer): boolean {
  return outcome === 'live' || outcome === 'partial' || outcome === 'unchanged';
}

async function answerOf({ file, feeds, leftOut, rehearsal }: Result) {
  const [{ takenFrom, hasOpenMarks }, { deliverySettings }, { joinSettings }, { notesOf }] = await Promise.all([
    import('./several-files.ts'),
    import('./propose-changes.ts'),
    import('./propose-join.ts'),
    import('./notes.ts'),
  ]);
  return {
    config: file,
    feeds: feeds.map((feed) => {
      const { name, folder, files, detection, columns, reason, entries, entry } = feed;
      const rows = feed.rows === null ? null : { read: feed.rows.read, accepted: feed.rows.accepted };
      const inside = { ...(entries === null ? {} : { entries }), ...(entry === null ? {} : { entry }) };
      const [dialect, { mapping }] = [dialectOf(detection), detection];
      const source = { folder, ...takenFrom(feed) };
      const several = { ...inside, ...joinSettings(feed), ...(hasOpenMarks(feed) ? {} : deliverySettings(feed)) };
      return { feed: name, source, ...several, files, dialect, mapping, columns, reason, rows, notes: notesOf(feed) };
    }),
    leftOut,
    rehearsal,
  };
}

/** One line for each feed, what is open, left out and to be known of them, then what is left to do. */
async function show({ file, feeds, leftOut, rehearsal }: Result, io: Io): Promise<void> {
  const [{ table }, { notesOf }] = await Promise.all([import('../table.ts'), import('./notes.ts')]);
  const rows = feeds.map((feed, at) => {
    const answer = rehearsal?.answers[at];
    const outcome = answer?.outcome ?? (feed.reason === null ? 'not rehearsed' : 'to be settled');
    const read = answer?.rows ?? feed.rows;
    return {
      feed,
      outcome,
      cells: [feed.name, outcome, count(read?.read), count(read?.accepted), basename(feed.files[0]!)],
    };
  });
  io.out(
    table(
      ['feed', 'rehearsed', 'rows', 'accepted', 'file'],
      rows.map(({ cells }) => cells),
      { numeric: ['rows', 'accepted'] },
    ),
  );
  const open = rows.filter(({ outcome }) => !['live', 'partial', 'unchanged', 'not rehearsed'].includes(outcome));
  for (const { feed, outcome } of open) {
    const at = feeds.indexOf(feed);
    io.out(`\n${feed.name}: ${outcome}. ${printable(feed.reason ?? rehearsal?.answers[at]?.reason ?? '')}`);
  }
  if (leftOut.length > 0) io.out(`\n${counted(leftOut.length, 'file')} left out:`);
  for (const { file: path, reason } of leftOut) io.out(`  ${basename(path)}: ${reason}`);
  const notes = feeds.flatMap((feed) => notesOf(feed).map((note) => `${feed.name}: ${printable(note)}`));
  if (notes.length > 0) io.out(`\n${notes.join('\n')}`);
  const next =
    open.length === 0
      ? `Look through ${file}, set service.baseUrl and the login's credentials, then run \`offerline config check\` and \`offerline up\`.`
      : `Settle what is marked in ${file}, then run \`offerline ingest FEED --rehearse\`.`;
  io.out(`\n${next}`);
}

function count(number: number | undefined): string {
  return number === undefined ? '' : grouped(number);
}
