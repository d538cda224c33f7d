import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { bucketSource, folderSource, type CopySource } from '../archive/copy/copy-source.ts';
import { bucketTarget, folderTarget, type CopyTarget } from '../archive/copy/copy-target.ts';
import { folderIdentity, type ArchiveIdentity, type IdentityPlace } from '../archive/identity.ts';
import type { Remote } from '../archive/s3/remote.ts';
import { remoteIdentity } from '../archive/s3/remote-identity.ts';
import { openStore, type ObjectStore } from '../archive/s3/store.ts';
import { tryStore } from '../archive/s3/try-store.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { CopyPlace } from '../config/parse/archive-address.ts';
import { OfferlineError, systemCode } from '../errors.ts';
import { bucketAddress } from '../io/s3/address.ts';
import { allowArchive, archiveIdOf, workMark } from '../ledger/maintenance/archive-id.ts';
import { archivedObjects } from '../ledger/maintenance/archived-objects.ts';
import { openLedger, type Ledger } from '../ledger/ledger.ts';
import type { Log } from '../log.ts';
import { archiveFolder, archivePlace, cacheFolder, remoteAt } from './archive-place.ts';
import { assertHome } from './assert-home.ts';
import { assertLedgerThere, bindArchive } from './bind-archive.ts';
import { openHome } from './home.ts';

/** Two archives of one ledger, and what ends a copy. */
export type ArchiveCopy = {
  source: CopySource;
  target: CopyTarget;
  /** Lets the ledger move to the target, which has everything now; false where it is there already. */
  allow: () => Promise<boolean>;
  close: () => Promise<void>;
};

/**
 * Opens the archives that are copied from and to; `from`: null for that of the installation. Both belong to the installation's ledger
 * afterwards: throws `conflict` when one of them belongs to another, `usage` when they are the same or one is inside of the other.
 */
export async function openArchiveCopy(
  { from, to }: { from: CopyPlace | null; to: CopyPlace },
  loaded: LoadedConfig,
  log: Log,
): Promise<ArchiveCopy> {
  await assertHome(loaded);
  process.umask(await openHome(loaded.home, log));
  await using closing = new AsyncDisposableStack();
  const installed = await archivePlace(loaded);
  closing.defer(() => installed.close());
  const file = join(loaded.home, 'ledger.sqlite');
  if (loaded.databaseUrl === undefined) await assertLedgerThere(file, installed.identity);
  const ledger = await openLedger({ file, databaseUrl: loaded.databaseUrl });
  closing.defer(() => ledger.close());
  const own = endOf(ownPlace(loaded), loaded, closing);
  const ends = { source: from === null ? own : endOf(from, loaded, closing), target: endOf(to, loaded, closing) };
  await assertApart(ends.source, ends.target);
  if (from === null) await bindArchive(own.identity, ledger);
  const known = await assertSource(ends.source, ledger);
  await assertTarget(ends.target, ledger);
  // What the ledger says of objects is about those of its own archive.
  const isIndexed = ends.source.type === 's3' && ends.source.at === own.at;
  const source = sourceOf(ends.source, ledger, isIndexed);
  const target = await targetOf(ends.target, ledger, isIndexed);
  const { archive } = await claimed(ends.target, ledger);
  const mark = await workMark(ledger.db);
  const opened = closing.move();
  return {
    source,
    target,
    allow: async () => {
      if (archive === known) return false;
      await allowArchive(ledger.db, archive, mark);
      return true;
    },
    close: () => opened.disposeAsync(),
  };
}

type End = { at: string; identity: IdentityPlace } & (
  { type: 'folder'; folder: string } | { type: 's3'; store: ObjectStore; remote: Remote }
);

function ownPlace({ archive, home }: LoadedConfig): CopyPlace {
  return archive.type === 's3' ? archive : { type: 'folder', folder: archiveFolder(home) };
}

function endOf(place: CopyPlace, { home, env }: LoadedConfig, closing: AsyncDisposableStack): End {
  if (place.type === 'folder') {
    const { folder } = place;
    return { type: 'folder', folder, at: folder, identity: folderIdentity(folder) };
  }
  const remote = remoteAt(place, cacheFolder(home), env);
  const store = closing.use(openStore(remote));
  const at = `${bucketAddress(remote).href.replace(/\/?$/u, '/')}${remote.prefix}`;
  return { type: 's3', store, remote, at, identity: remoteIdentity(store, remote) };
}

/** Refuses two ends that are one, and folders inside of each other: what is copied would be copied again. */
async function assertApart(source: End, target: End): Promise<void> {
  const placeOf = async (end: End) => (end.type === 'folder' ? realPath(end.folder) : end.at);
  const [from, to] = [await placeOf(source), await placeOf(target)];
  const refuse = (what: string) => {
    throw new OfferlineError(
      'usage',
      `${target.at} ${what} ${source.at}, which is copied from. Name another place with --to.`,
    );
  };
  if (from === to) refuse('is the same as');
  if (source.type !== 'folder' || target.type !== 'folder') return;
  if (to.startsWith(from + sep)) refuse('is inside of');
  if (from.startsWith(to + sep)) refuse('has in it');
}

/** A path without links, as far as it is there. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) return path;
    return join(await realPath(dirname(path)), basename(path));
  }
}

/** Refuses a source that is no archive of this ledger; answers with the one that the ledger keeps its files in. */
async function assertSource(end: End, ledger: Ledger): Promise<string> {
  const { identity } = end;
  const said = await identityOf(end, '--from');
  if (said === null) {
    throw new OfferlineError(
      'not-found',
      `There is no archive at ${identity.where}: ${identity.file} is missing. Name the right place with --from.`,
    );
  }
  if (said.ledger !== ledger.id) throw ofAnother(identity, said, ledger, '--from');
  return (await archiveIdOf(ledger.db)) ?? said.archive;
}

/** Refuses a target that belongs to another installation, and a folder that has something else in it. */
async function assertTarget(end: End, ledger: Ledger): Promise<void> {
  const said = await identityOf(end, '--to');
  if (said !== null && said.ledger !== ledger.id) throw ofAnother(end.identity, said, ledger, '--to');
  if (said === null && end.type === 'folder') await assertFree(end.folder);
}

/** Refuses a folder in which files of others are, or an installation. */
async function assertFree(folder: string): Promise<void> {
  if (existsSync(join(folder, 'ledger.sqlite'))) {
    const message = `${folder} is the home of an installation; its archive is ${archiveFolder(folder)}. Name that with --to.`;
    throw new OfferlineError('usage', message);
  }
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw unreadable(folder, error, '--to');
  });
  const others = names.filter((name) => !/^(?:tmp|damaged|[0-9a-f]{2})$/u.test(name));
  if (others.length === 0) return;
  const message = `${folder} has other files in it, such as ${others[0]}. Name an empty folder, or one that does not exist yet, with --to.`;
  throw new OfferlineError('usage', message);
}

/** Who an archive says that it is; a folder that cannot be read is a mistake of whoever named it. */
async function identityOf({ identity }: End, option: string): Promise<ArchiveIdentity | null> {
  try {
    return await identity.read();
  } catch (error) {
    throw error instanceof OfferlineError ? error : unreadable(identity.where, error, option);
  }
}

function unreadable(place: string, error: unknown, option: string): OfferlineError {
  const why = systemCode(error) === 'ENOTDIR' ? 'is no folder' : `cannot be read (${systemCode(error)})`;
  return new OfferlineError('usage', `${place} ${why}. Name another place with ${option}.`, { cause: error });
}

function ofAnother(
  { where }: IdentityPlace,
  { archive, ledger: other }: ArchiveIdentity,
  { id }: Ledger,
  option: string,
): OfferlineError {
  return new OfferlineError(
    'conflict',
    `The archive ${where} (${archive}) belongs to the ledger ${other}, and this one is ${id}. Name another place with ${option}.`,
  );
}

function sourceOf(end: End, ledger: Ledger, isIndexed: boolean): CopySource {
  if (end.type === 'folder') return folderSource(end.folder);
  return bucketSource({ ...end, now: Date.now }, isIndexed ? archivedObjects(ledger) : null);
}

/** A store is tried with a small object, before much is sent to it. */
async function targetOf(end: End, ledger: Ledger, isShared: boolean): Promise<CopyTarget> {
  if (end.type === 'folder') return folderTarget(end.folder);
  const { store, remote } = end;
  await tryStore(store, remote);
  const made = { store, remote, index: archivedObjects(ledger), now: Date.now };
  return bucketTarget(made, { isShared });
}

/** Marks the target as one of this ledger; the ledger does not take it before everything is there. */
async function claimed({ identity }: End, ledger: Ledger): Promise<ArchiveIdentity> {
  const said = (await identity.read()) ?? (await identity.claim({ ledger: ledger.id, archive: randomUUID() }));
  if (said.ledger !== ledger.id) throw ofAnother(identity, said, ledger, '--to');
  return said;
}
