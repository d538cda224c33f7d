import { constants, existsSync } from 'node:fs';
import { access, chmod, copyFile, cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Archive } from '../archive/archive.ts';
import { keptFile } from '../archive/folder.ts';
import { identityFile } from '../archive/identity.ts';
import { damageOf, verifiedPath } from '../archive/kept-file.ts';
import type { LoadedConfig } from '../config/load.ts';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import type { Log } from '../log.ts';
import { assertHome } from './assert-home.ts';
import { openContext, type OpenContext } from './open-context.ts';

/**
 * Opens an installation for questions. A home that may not be written is left as it is: its ledger is copied to a folder of this
 * process's own, which is removed at the end, and its archive is only read. Fails with `not-found` where there is no home.
 */
export async function openForReading(loaded: LoadedConfig, log: Log): Promise<OpenContext> {
  await assertHome(loaded);
  const ledger = loaded.databaseUrl === undefined ? ['ledger.sqlite'] : [];
  if (await areWritable(['.', 'archive', ...ledger].map((name) => join(loaded.home, name)))) {
    return openContext(loaded, log);
  }
  const folder = await mkdtemp(join(tmpdir(), 'offerline-read-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    if (loaded.databaseUrl === undefined) await copyLedger(loaded.home, folder);
    const archive = join(loaded.home, 'archive');
    await cp(identityFile(archive), identityFile(join(folder, 'archive')), { recursive: true }).catch(unlessMissing);
    const { ctx, close } = await openContext({ ...loaded, home: folder }, log);
    return {
      ctx: { ...ctx, home: loaded.home, archive: { ...ctx.archive, ...readOnly(archive) } },
      close: async () => {
        await close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function areWritable(paths: string[]): Promise<boolean> {
  for (const path of paths) {
    const refused = await access(path, constants.W_OK).then(
      () => false,
      (error: unknown) => systemCode(error) !== 'ENOENT',
    );
    if (refused) return false;
  }
  return true;
}

/** As it is at one moment, also while others write to it. */
async function copyLedger(home: string, folder: string): Promise<void> {
  const from = join(home, 'ledger.sqlite');
  const to = join(folder, 'ledger.sqlite');
  try {
    const db = new DatabaseSync(from, { readOnly: true });
    try {
      await backup(db, to);
    } finally {
      db.close();
    }
  } catch (error) {
    // Someone has it open: its files are of different moments.
    if (existsSync(`${from}-shm`)) throw unreadable(from, error);
    // SQLite would have to make its helper files beside it; as nobody has it open, the files are all there is.
    await copyFiles(from, to);
  }
}

async function copyFiles(from: string, to: string): Promise<void> {
  try {
    await rm(to, { force: true });
    await copyWritable(from, to);
    await copyWritable(`${from}-wal`, `${to}-wal`).catch(unlessMissing);
  } catch (error) {
    throw unreadable(from, error);
  }
}

function unreadable(file: string, cause: unknown): OfferlineError {
  const why = systemCode(cause) === 'EACCES' ? 'permission denied' : messageOf(cause);
  return new OfferlineError('ledger', `The ledger ${file} cannot be read: ${why}. Check its owner.`, { cause });
}

/** A copy takes the modes along, and this one is to be migrated. */
async function copyWritable(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, 0o600);
}

/** What asks the archive in a folder; what would change it stays with another. */
function readOnly(folder: string): Pick<Archive, 'file' | 'has' | 'verify'> {
  const file = (sha256: string) => keptFile(folder, sha256);
  return {
    file,
    has: (sha256) =>
      stat(file(sha256).unverifiedPath).then(
        (found) => found.isFile(),
        (error: unknown) => unlessMissing(error) ?? false,
      ),
    verify: async (sha256) => {
      try {
        await verifiedPath(file(sha256));
        return 'ok';
      } catch (error) {
        const found = damageOf(error);
        if (found === null) throw error;
        return found.damage;
      }
    },
  };
}

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}
