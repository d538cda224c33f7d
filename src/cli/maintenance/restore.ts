import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type { Command } from 'commander';
import type { FilesRestored } from '../../backup/restore-backup.ts';
import type { Manifest } from '../../backup/manifest.ts';
import type { BackupPlace } from '../../backup/place.ts';
import { restoreMark } from '../../config/load.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import type { RestoreChoice } from '../../ledger/alerts/notes.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RestoredState } from '../../jobs/restored/restored-state.ts';
import type { Resumed } from '../../jobs/restored/choose.ts';
import { counted } from '../../wording/words.ts';
import { decisionOf } from '../decisions/decision.ts';
import { whileGauged } from '../files/while-gauged.ts';
import type { Io } from '../io.ts';
import { loadFor, logFor, withSession } from '../session.ts';
import { givenWords, restoredLines, resumedLines } from './restored-page.ts';

const HELP = `
Run it on an empty machine: it takes the configuration file from the backup unless one is there, fills the ledger (in DATABASE_URL
if that is set) and brings the files. An archive that was not lost may stay: it gets what it lacks. Stopped, it continues when it
is called again.

Nothing is sent before you have chosen. In the end, and whenever you call it without a place, it shows what is live, what the
backup does not know and what was delivered since. Then choose what to go on with:

  --resume live    What is live stays, and what the backup does not know of it is taken over.
  --resume backup  What the backup knows as live is sent again wherever something else is live.

From then on the original installation, if it comes back, finds itself replaced and stops.

Example:
  offerline restore /mnt/backup/offerline --config /etc/offerline/offerline.yaml
  offerline restore
  offerline restore --resume live
`;

type Options = { backup?: string; resume?: string; reason?: string; json?: true };

/** What `restore` answers. */
type Answer = {
  restored: (FilesRestored & { backup: string; madeAt: number; config: string | null }) | null;
  state: RestoredState | null;
  resumed: Resumed[] | null;
};

/** Adds `restore`: an installation made of a backup. */
export function define(program: Command, io: Io): void {
  program
    .command('restore')
    .description(
      'Make an installation of a backup, show what the backup does not know, and go on when you have chosen.',
    )
    .argument(
      '[from]',
      'the place that `offerline backup` wrote to; without it: the installation that was restored before',
    )
    .option('--backup <id>', 'which backup (default: the newest); `offerline backup PLACE --list` shows all')
    .option('--resume <what>', 'go on with `live` or `backup`, also together with a place')
    .option('--reason <text>', 'with --resume: why; recorded with your name', 'after a restore')
    .option('--json', 'one JSON value: {restored, state, resumed}')
    .addHelpText('after', HELP)
    .action((from: string | undefined, options: Options, command: Command) => restore(from, options, command, io));
}

async function restore(from: string | undefined, options: Options, command: Command, io: Io): Promise<void> {
  const choice = choiceOf(options.resume);
  if (from === undefined && options.backup !== undefined) {
    throw new OfferlineError(
      'usage',
      '--backup needs the place that it lies in: `offerline restore FROM --backup ID`.',
    );
  }
  const answer: Answer = { restored: null, state: null, resumed: null };
  try {
    if (from !== undefined) answer.restored = await restoreFrom(from, options, command, io);
    await withSession(command, io, async ({ ctx, loaded }) => {
      const [{ undecidedRestore, chooseAfterRestore }, { restoredState }, { takeArchive }] = await Promise.all([
        import('../../jobs/restored/choose.ts'),
        import('../../jobs/restored/restored-state.ts'),
        import('../../app/backup/restore-installation.ts'),
      ]);
      const note = await undecidedRestore(ctx);
      const signal = io.stopSignal();
      if (choice === null || from !== undefined) answer.state = await restoredState(note, ctx, signal);
      if (choice === null) return;
      await takeArchive(loaded, ctx.ledger);
      const named = from ?? (isAbsolute(note.place) ? note.place : null);
      const seen = named === null ? [] : await termsIn(named, io);
      answer.resumed = await chooseAfterRestore(choice, decisionOf(options.reason ?? ''), ctx, { signal, seen });
      if (named !== null) await handOverPlace(named, ctx.ledger, io);
    });
  } finally {
    io.endSoon();
  }
  if (options.json === true) io.json(answer);
  else {
    if (answer.state !== null)
      for (const line of restoredLines(answer.state, givenWords(command.optsWithGlobals()))) io.out(line);
    if (answer.resumed !== null && choice !== null)
      for (const line of resumedLines(answer.resumed, choice, givenWords(command.optsWithGlobals()))) io.out(line);
  }
  const broken = answer.restored?.broken.length ?? 0;
  const unasked = answer.state?.logins.some(({ error }) => error !== null) === true;
  io.exit(broken > 0 || unasked ? 1 : 0);
}

function choiceOf(text: string | undefined): RestoreChoice | null {
  if (text === undefined) return null;
  if (text === 'live' || text === 'backup') return text;
  throw new OfferlineError(
    'usage',
    `--resume is "${text}"; write live (what is live stays) or backup (what the backup knows is sent again).`,
  );
}

async function openPlace(from: string, io: Io): Promise<BackupPlace> {
  const [{ archivePlaceOf }, { openBackupPlace }] = await Promise.all([
    import('../../config/parse/archive-address.ts'),
    import('../../app/backup/open-place.ts'),
  ]);
  return openBackupPlace(archivePlaceOf('The place', from), io.env, { make: false });
}

async function restoreFrom(from: string, options: Options, command: Command, io: Io): Promise<Answer['restored']> {
  const [{ readManifest }, { restoreInstallation }] = await Promise.all([
    import('../../backup/manifest.ts'),
    import('../../app/backup/restore-installation.ts'),
  ]);
  const place = await openPlace(from, io);
  try {
    const manifest = await readManifest(place, options.backup ?? null);
    const path = configurationPath(command, io);
    await markRestore(path, place);
    const config = await writeConfiguration(manifest, place, path);
    const loaded = await loadFor(command, io, 'restores');
    const log = await logFor(loaded, io);
    const signal = io.stopSignal();
    const restored = await whileGauged('backup', 'copy', io, (meter) =>
      restoreInstallation(manifest, place, loaded, { log, now: Date.now(), meter, signal }),
    ).catch(async (error: unknown) => {
      // An installation is there already, which goes on as it is.
      if (error instanceof OfferlineError && error.code === 'conflict') await rm(restoreMark(path), { force: true });
      throw error;
    });
    await rm(restoreMark(path), { force: true });
    if (options.json !== true)
      for (const line of filesLines(manifest, restored, {
        config,
        home: loaded.home,
        given: givenWords(command.optsWithGlobals()),
      }))
        io.out(line);
    return { ...restored, backup: manifest.id, madeAt: manifest.at, config };
  } finally {
    await place.close();
  }
}

function configurationPath(command: Command, io: Io): string {
  const { config } = command.optsWithGlobals<{ config?: string }>();
  return resolve(config ?? (io.env['OFFERLINE_CONFIG'] || 'config/offerline.yaml'));
}

/** From now on nothing works with this configuration until the ledger is there, which then says itself what may work. */
async function markRestore(path: string, { where }: BackupPlace): Promise<void> {
  const { replaceFile } = await import('../../io/replace-file.ts');
  process.umask(0o077);
  try {
    await replaceFile(restoreMark(path), [`${where}\n`]);
  } catch (error) {
    // A configuration that was there before may lie where nobody may write, such as in a mounted folder.
    if (!existsSync(path)) throw error;
  }
}

/** Writes the configuration of the backup where none is; answers with its path, null where it was not needed. */
async function writeConfiguration(manifest: Manifest, place: BackupPlace, path: string): Promise<string | null> {
  if (existsSync(path) || manifest.config === null) return null;
  const [{ keptBytes }, { replaceFile }] = await Promise.all([
    import('../../archive/kept-file.ts'),
    import('../../io/replace-file.ts'),
  ]);
  // It may hold credentials.
  process.umask(0o077);
  await replaceFile(path, keptBytes(place.files.file(manifest.config.sha256)));
  return path;
}

function* filesLines(
  manifest: Manifest,
  { files, broken }: FilesRestored,
  { config, home, given }: { config: string | null; home: string; given: string },
): Generator<string> {
  const { id, at, tables, lost } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  yield `backup   ${id}, made ${new Date(at).toISOString()}`;
  if (config !== null) yield `config   ${config}`;
  yield `home     ${home}`;
  yield `ledger   ${counted(rows, 'row')}`;
  yield `files    ${counted(files, 'file')}`;
  for (const { sha256, damage } of broken) yield `${damage.toUpperCase()} in the backup: ${sha256}`;
  for (const { kind, owner, sha256 } of lost) yield `LOST before the backup: ${kind} of ${owner} (${sha256})`;
  if (broken.length + lost.length > 0)
    yield `Run \`offerline verify --repair${given}\` when you have chosen: what can be made again is.`;
  yield '';
}

/** Who has gone on from the backups of a place before; none is known where it is away. */
async function termsIn(from: string, io: Io): Promise<string[]> {
  const { termsAt } = await import('../../backup/owner.ts');
  try {
    await using place = await disposable(from, io);
    return await termsAt(place);
  } catch {
    return [];
  }
}

/**
 * Gives the place of the backups to the ledger that goes on. Where that fails, the choice stays, and its first backup there does it. Fails with `conflict` where
 * somebody has chosen at another restore meanwhile, and that one goes on.
 */
async function handOverPlace(from: string, { db, id }: Pick<Ledger, 'db' | 'id'>, io: Io): Promise<void> {
  const [{ handOver }, { successorOf }, { standBack }] = await Promise.all([
    import('../../backup/owner.ts'),
    import('../../ledger/maintenance/restored.ts'),
    import('../../app/backup/stand-back.ts'),
  ]);
  const restored = await successorOf(db);
  if (restored === null) return;
  let taken: Awaited<ReturnType<typeof handOver>> = null;
  try {
    await using place = await disposable(from, io);
    taken = await handOver(place, id, restored, Date.now());
  } catch (error) {
    io.note(
      `The original does not yet find itself replaced at its backups; the next backup there sees to it. ${messageOf(error)}`,
    );
  }
  if (taken !== null) throw await standBack(db, taken, { where: from }, Date.now());
}

async function disposable(from: string, io: Io): Promise<BackupPlace & AsyncDisposable> {
  const place = await openPlace(from, io);
  return { ...place, [Symbol.asyncDispose]: place.close };
}
