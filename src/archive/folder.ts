import { link, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import { OfferlineError, systemCode } from '../errors.ts';
import type { Archive, Blob } from './archive.ts';
import { sayDiskFull } from './disk-full.ts';
import { KEEP_DAMAGED } from './damage.ts';
import { damageOf, verifiedPath, type Damage, type KeptFile } from './kept-file.ts';
import {
  bytesOf,
  hashBytes,
  makeFolder,
  markUsed,
  renameDurably,
  syncFile,
  syncFolder,
  writeDurably,
} from './durable.ts';
import { listBlobs, sweepLeftovers } from './walk.ts';

/** Opens the archive in a folder, creates it if needed, and sweeps leftovers older than a day. */
export async function openArchive(folder: string): Promise<Archive> {
  try {
    return await openFolder(folder);
  } catch (error) {
    if (error instanceof OfferlineError) throw error;
    const reason = systemCode(error) ?? 'unknown error';
    throw new OfferlineError(
      'config',
      `The archive ${folder} cannot be written to (${reason}). Check its owner and permissions.`,
      {
        cause: error,
      },
    );
  }
}

/** `ab/cd/abcd…` for each hash, `tmp` for drafts in the same file system, and `damaged` for files that do not match their names. */
async function openFolder(where: string): Promise<Archive> {
  const folder = resolve(where);
  const temp = join(folder, 'tmp');
  await sayDiskFull(folder, () => makeFolder(temp));
  await sweepLeftovers(temp);
  await sweepLeftovers(join(folder, 'damaged'), { days: KEEP_DAMAGED });
  const file = (sha256: string) => keptFile(folder, sha256);

  const put = async (source: string | AsyncIterable<Buffer>): Promise<Blob> => {
    const draft = join(temp, randomUUID());
    try {
      const blob = await writeDurably(draft, typeof source === 'string' ? bytesOf(source) : source);
      await place(draft, blob, file(blob.sha256));
      return blob;
    } finally {
      await rm(draft, { force: true });
    }
  };

  return {
    put: (source) => sayDiskFull(folder, () => put(source)),
    adopt: (made, known) => sayDiskFull(folder, () => adopt(made, known, file, put)),
    ...questionsTo(folder),
    remove: (sha256) => rm(file(sha256).unverifiedPath, { recursive: true, force: true }),
    removeOlder: (sha256, since) => removeOlder(file(sha256).unverifiedPath, join(temp, randomUUID()), since),
    setAside: (sha256) => setAside(file(sha256), join(folder, 'damaged')),
    takeBack: (sha256) => takeBack(file(sha256), join(folder, 'damaged')),
    list: () => listBlobs(folder),
    tempFolder: () => sayDiskFull(folder, () => mkdtemp(join(temp, 'work-'))),
  };
}

/** What only asks the archive in a folder, which may be one that nobody may write to. */
export function questionsTo(folder: string): Pick<Archive, 'file' | 'has' | 'verify'> {
  const file = (sha256: string) => keptFile(folder, sha256);
  return {
    file,
    has: async (sha256) => (await statOf(file(sha256).unverifiedPath))?.isFile() === true,
    verify: (sha256) => verifyKept(file(sha256)),
  };
}

/** The file of a hash in the archive in this folder, whether it is there or not. `depth`: of folders above each. */
export function keptFile(folder: string, sha256: string, depth: 1 | 2 = 2): KeptFile {
  if (!/^[0-9a-f]{64}$/.test(sha256)) {
    throw new OfferlineError('not-found', `"${sha256}" is not the SHA-256 of a file in the archive ${folder}.`);
  }
  const above = [sha256.slice(0, 2), sha256.slice(2, 4)].slice(0, depth);
  return { sha256, unverifiedPath: join(folder, ...above, sha256) };
}

async function adopt(
  made: string,
  known: Blob | undefined,
  file: (sha256: string) => KeptFile,
  put: (source: string) => Promise<Blob>,
): Promise<Blob> {
  const blob = known ?? (await hashBytes(bytesOf(made)));
  try {
    await syncFile(made);
    await place(made, blob, file(blob.sha256));
    return blob;
  } catch (error) {
    // The file lies on another disk: it has to be copied.
    if (systemCode(error) !== 'EXDEV') throw error;
    const copied = await put(made);
    await rm(made);
    return copied;
  }
}

/** Gives a finished file its name, unless a whole one has it already; one that is damaged gives way to it. */
async function place(made: string, blob: Blob, target: KeptFile): Promise<void> {
  const there = await statOf(target.unverifiedPath);
  if (there?.size === blob.bytes && (await verifyKept(target)) === 'ok' && (await markUsed(target.unverifiedPath))) {
    // The process that wrote it may not have come to this step yet.
    await syncFolder(dirname(target.unverifiedPath));
    return rm(made);
  }
  await makeFolder(dirname(target.unverifiedPath));
  // A file cannot take the name of a folder.
  if (there?.isDirectory() === true) await rename(target.unverifiedPath, `${made}.in-the-way`);
  await renameDurably(made, target.unverifiedPath);
}

/** Takes the file away before looking at it: from then on, bringing the same bytes in makes a new file. */
async function removeOlder(path: string, away: string, since: number): Promise<boolean> {
  if (!(await takeAway(path, away))) return false;
  if ((await stat(away)).mtimeMs <= since) {
    await rm(away, { recursive: true });
    return true;
  }
  await giveBack(away, path);
  return false;
}

/** As with an old file, it is taken away first: another process may have put the right bytes in its place just now. */
async function setAside(file: KeptFile, folder: string): Promise<void> {
  if ((await verifyKept(file)) === 'ok') return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const away = join(folder, `${file.sha256}-${randomUUID()}`);
  if (!(await takeAway(file.unverifiedPath, away))) return;
  if ((await verifyKept({ ...file, unverifiedPath: away })) === 'ok') return giveBack(away, file.unverifiedPath);
  await markUsed(away);
}

/** What is whole takes its place again, also that of damaged bytes. */
async function takeBack(file: KeptFile, folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(`${file.sha256}-`))) {
    const away = join(folder, name);
    if ((await verifyKept({ ...file, unverifiedPath: away })) !== 'ok') continue;
    await place(away, { sha256: file.sha256, bytes: (await stat(away)).size }, file);
    return true;
  }
  return false;
}

async function takeAway(path: string, away: string): Promise<boolean> {
  try {
    await rename(path, away);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Gives a file its name back, unless the same bytes came in meanwhile. */
async function giveBack(away: string, path: string): Promise<void> {
  try {
    await link(away, path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') return rename(away, path);
  }
  await rm(away);
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Reads a file to its end: what is wrong with it, or `ok`. */
export async function verifyKept(file: KeptFile): Promise<'ok' | Damage> {
  try {
    await verifiedPath(file);
    return 'ok';
  } catch (error) {
    const found = damageOf(error);
    if (found === null) throw error;
    return found.damage;
  }
}
