import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { FilesRestored } from '../../backup/restore-backup.ts';
import type { Manifest } from '../../backup/manifest.ts';
import type { BackupPlace } from '../../backup/place.ts';
import { learnedFile } from '../../config/learned/read-learned.ts';
import { homeOf, restoreMark, type LoadedConfig } from '../../config/load.ts';
import { showPath } from '../../config/read/path.ts';
import { isUnwritable, OfferlineError, systemCode } from '../../errors.ts';
import { forShell } from '../../wording/escapes.ts';
import { counted } from '../../wording/words.ts';
import { whileGauged } from '../files/while-gauged.ts';
import type { Io } from '../io.ts';
import { loadFor, logFor } from '../session.ts';
import { givenWords } from './restored-page.ts';
import { openPlace } from './restored-place.ts';

/** What was made of a backup; `config`: the configuration file that it brought. */
export type Restored = FilesRestored & { backup: string; madeAt: number; config: string | null };

/** Makes an installation of a backup, and says what was brought. `backup`: its id; without it the one that was begun here, or the newest. */
export async function restoreFrom(
  from: string,
  options: { backup?: string; json?: true },
  command: Command,
  io: Io,
): Promise<Restored> {
  const [{ readManifest }, { backupToRestore }, { restoreInstallation }] = await Promise.all([
    import('../../backup/manifest.ts'),
    import('../../backup/restore-backup.ts'),
    import('../../app/backup/restore-installation.ts'),
  ]);
  const place = await openPlace(from, io);
  try {
    const named = options.backup ?? null;
    const path = configurationPath(command, io);
    const manifest = await readManifest(
      place,
      await backupToRestore(place, named, await ledgerPlace(path, command, io)),
    );
    await markRestore(path, place, named);
    const config = await writeConfiguration(manifest, place, path);
    const learned = await writeLearned(manifest, place, path);
    const loaded = await loadFor(command, io, 'restores');
    assertArchiveKnown(loaded);
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
        config: config === null ? `${loaded.file}, ${await wasThere(manifest, loaded.file)}` : broughtWords(config),
        learned,
        loaded,
        given: givenWords(command.optsWithGlobals()),
      }))
        io.out(line);
    return { ...restored, backup: manifest.id, madeAt: manifest.at, config: config?.path ?? null };
  } finally {
    await place.close();
  }
}

/** A bucket that files are to be brought to needs its keys now, and not only once somebody has chosen. */
function assertArchiveKnown({ missing, file }: LoadedConfig): void {
  const lacks = missing.filter(({ path }) => path[0] === 'archive');
  if (lacks.length === 0) return;
  const said = lacks.map(({ path, message }) => `${showPath(path)}: ${message}`).join('\n');
  throw new OfferlineError('config', `The archive of ${file} cannot be reached yet.\n${said}`);
}

/** Where the configuration lies, or is to lie. */
export function configurationPath(command: Command, io: Io): string {
  const { config } = command.optsWithGlobals<{ config?: string }>();
  return resolve(config ?? (io.env['OFFERLINE_CONFIG'] || 'config/offerline.yaml'));
}

/** Where the ledger lies, or is to lie, which does not depend on what the configuration says. */
async function ledgerPlace(
  path: string,
  command: Command,
  { env }: Io,
): Promise<{ file: string; databaseUrl?: string | undefined }> {
  const { serverAddresses } = await import('../../config/read/server-addresses.ts');
  const { home } = command.optsWithGlobals<{ home?: string }>();
  const { addresses } = await serverAddresses(env);
  return { file: join(homeOf(path, home, env), 'ledger.sqlite'), databaseUrl: addresses.DATABASE_URL };
}

/** From now on nothing works with this configuration until the ledger is there, which then says itself what may work. */
async function markRestore(path: string, { address }: BackupPlace, backup: string | null): Promise<void> {
  const { replaceFile } = await import('../../io/replace-file.ts');
  process.umask(0o077);
  try {
    await replaceFile(restoreMark(path), [`${forShell(address)}${backup === null ? '' : ` --backup ${backup}`}\n`]);
  } catch (error) {
    // A configuration that was there before may lie where nobody may write, such as in a mounted folder.
    if (!existsSync(path)) throw error;
  }
}

/** A configuration that a restore has written, and where the one is that gave way to it; `before`: null where nothing was written in that. */
type Brought = { path: string; before: string | null };

/** Writes the configuration of the backup where none is, or one without feeds and logins, as packages bring it; null where it was not needed. */
async function writeConfiguration(manifest: Manifest, place: BackupPlace, path: string): Promise<Brought | null> {
  if (manifest.config === null) return null;
  const { sha256 } = manifest.config;
  const write = () => writeFrom(manifest, place, sha256, path);
  if (!existsSync(path)) {
    await write();
    return { path, before: null };
  }
  const blank = await readBlank(path);
  if (blank === null) return null;
  const before = blank.says ? `${path}.before` : null;
  const { replaceFile } = await import('../../io/replace-file.ts');
  try {
    if (before !== null) await replaceAs(path, before, () => replaceFile(before, [blank.text]));
    await replaceAs(path, path, write);
  } catch (error) {
    if (!isKeptFrom(error)) throw error;
    return null;
  }
  return { path, before };
}

/** True where a file cannot be written beside a configuration that was there, which may lie where nobody may write. What of a backup cannot be read is another thing. */
function isKeptFrom(error: unknown): boolean {
  return error instanceof OfferlineError && error.code !== 'archive' && isUnwritable(error);
}

/** Writes a file for those who can read another one, as far as this user may. */
async function replaceAs(other: string, path: string, write: () => Promise<void>): Promise<void> {
  const { mode, uid, gid } = await stat(other);
  await write();
  await chmod(path, mode & 0o777);
  await chown(path, uid, gid).catch((error: unknown) => {
    if (systemCode(error) !== 'EPERM') throw error;
  });
}

/** The text of a configuration that names no feed and no login, and whether it says anything else; null for others. */
async function readBlank(path: string): Promise<{ text: Buffer; says: boolean } | null> {
  const { parseConfigText } = await import('../../config/read/document.ts');
  const text = await readFile(path);
  const { tree, syntax } = parseConfigText(text.toString('utf8'));
  const written: unknown = syntax.length === 0 ? (tree.toJS() ?? {}) : null;
  if (typeof written !== 'object' || written === null) return null;
  const { feeds, logins, ...others } = written as { feeds?: unknown; logins?: unknown };
  if ([feeds, logins].some((one) => Object.keys(one ?? {}).length > 0)) return null;
  return { text, says: Object.keys(others).length > 0 };
}

function broughtWords({ path, before }: Brought): string {
  return before === null ? path : `${path}; what was written there before is in ${before}`;
}

/** What is to be said of a configuration that was there. */
async function wasThere({ config }: Manifest, file: string): Promise<string> {
  if (config === null) return 'which was there';
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  return sha256 === config.sha256 ? 'which was there' : 'which was there and differs from that of the backup';
}

/** Where the home of the backup was, if it was not beside its configuration and is another one here: something may still start with it. */
function homeBefore({ home, config }: Manifest, { home: here }: LoadedConfig): string {
  const isUsual = config !== null && home === join(dirname(config.path), '.offerline');
  return isUsual || home === here ? '' : `; that of the backup was ${home}`;
}

/** Writes the learned settings of the backup where there are none beside the configuration; answers with what is to be said of them, null where nothing is. */
async function writeLearned(manifest: Manifest, place: BackupPlace, path: string): Promise<string | null> {
  const learned = manifest.config?.learned;
  const file = learnedFile(path);
  if (learned === undefined || existsSync(file)) return null;
  try {
    await writeFrom(manifest, place, learned, file);
    return file;
  } catch (error) {
    // As with a configuration that lies where nobody may write.
    if (!(error instanceof OfferlineError) || error.code === 'archive') throw error;
    return `${file} cannot be written, so what was learned does not act. ${error.message}`;
  }
}

async function writeFrom(manifest: Manifest, place: BackupPlace, sha256: string, path: string): Promise<void> {
  const [{ keptBytes }, { replaceFile }, { sayBroken }] = await Promise.all([
    import('../../archive/kept-file.ts'),
    import('../../io/replace-file.ts'),
    import('../../backup/restore-backup.ts'),
  ]);
  // It may hold credentials.
  process.umask(0o077);
  await sayBroken(manifest, place, () => replaceFile(path, keptBytes(place.files.file(sha256))));
}

function* filesLines(
  manifest: Manifest,
  { files, broken }: FilesRestored,
  said: { config: string; learned: string | null; loaded: LoadedConfig; given: string },
): Generator<string> {
  const { config, learned, loaded, given } = said;
  const { id, at, tables, lost } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  yield `backup   ${id}, made ${new Date(at).toISOString()}`;
  yield `config   ${config}`;
  if (learned !== null) yield `learned  ${learned}`;
  yield `home     ${loaded.home}${homeBefore(manifest, loaded)}`;
  yield `ledger   ${counted(rows, 'row')}`;
  yield `files    ${counted(files, 'file')}`;
  for (const { sha256, damage } of broken) yield `${damage.toUpperCase()} in the backup: ${sha256}`;
  for (const { kind, owner, sha256 } of lost) yield `LOST before the backup: ${kind} of ${owner} (${sha256})`;
  if (broken.length + lost.length > 0)
    yield `Run \`offerline verify --repair${given}\` when you have chosen: what can be made again is.`;
  if (manifest.ledger.engine === 'postgres' && loaded.databaseUrl === undefined) {
    yield `The ledger was in Postgres. DATABASE_URL is not set, so it is a file of the home now. If it is to be in Postgres: remove the home, set DATABASE_URL, and restore again.`;
  }
  yield '';
}
