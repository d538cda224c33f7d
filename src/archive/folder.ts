import { mkdtemp, open, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import { OfferlineError, systemCode } from '../errors.ts';
import type { Archive, Blob } from './archive.ts';
import { sayDiskFull } from './disk-full.ts';
import { bytesOf, hashBytes, makeFolder, renameDurably, syncFile, syncFolder, writeDurably } from './durable.ts';
import { listBlobs, sweepLeftovers } from './walk.ts';

/** The archive in a folder: `ab/cd/abcd…` for each hash, and `tmp` in the same file system for what is being written. */
export async function openFolderArchive(where: string): Promise<Archive> {
  const folder = resolve(where);
  const temp = join(folder, 'tmp');
  await sayDiskFull(folder, () => makeFolder(temp));
  await sweepLeftovers(temp);
  const path = (sha256: string) => blobPath(folder, sha256);

  const put = async (source: string | AsyncIterable<Buffer>): Promise<Blob> => {
    const draft = join(temp, randomUUID());
    try {
      const blob = await writeDurably(draft, typeof source === 'string' ? bytesOf(source) : source);
      await place(draft, blob, path(blob.sha256));
      return blob;
    } finally {
      await rm(draft, { force: true });
    }
  };

  return {
    put: (source) => sayDiskFull(folder, () => put(source)),
    adopt: (file) => sayDiskFull(folder, () => adopt(file, path, put)),
    path,
    open: async (sha256) => {
      const file = await open(path(sha256), 'r').catch((error: unknown) => {
        if (systemCode(error) !== 'ENOENT') throw error;
        throw new OfferlineError('not-found', `The archive ${folder} has no file ${sha256}; it was pruned or lost.`);
      });
      return file.createReadStream();
    },
    has: async (sha256) => (await sizeOf(path(sha256))) !== null,
    remove: (sha256) => rm(path(sha256), { force: true }),
    removeOlder: (sha256, since) => removeOlder(path(sha256), join(temp, randomUUID()), since),
    verify: (sha256) => verify(path(sha256), sha256),
    list: () => listBlobs(folder),
    tempFolder: () => sayDiskFull(folder, () => mkdtemp(join(temp, 'work-'))),
  };
}

/** Where an archive in this folder keeps (or would keep) the file of a hash; asks no disk. */
export function blobPath(folder: string, sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) {
    throw new OfferlineError('not-found', `"${sha256}" is not the SHA-256 of a file in the archive ${folder}.`);
  }
  return join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
}

async function adopt(
  file: string,
  path: (sha256: string) => string,
  put: (source: string) => Promise<Blob>,
): Promise<Blob> {
  const blob = await hashBytes(bytesOf(file));
  try {
    await syncFile(file);
    await place(file, blob, path(blob.sha256));
    return blob;
  } catch (error) {
    // The file lies on another disk: it has to be copied.
    if (systemCode(error) !== 'EXDEV') throw error;
    const copied = await put(file);
    await rm(file);
    return copied;
  }
}

/** Gives a finished file its name, unless a whole one has it already (a cut one, from a failing disk, is replaced). */
async function place(file: string, blob: Blob, target: string): Promise<void> {
  if ((await sizeOf(target)) === blob.bytes && (await refresh(target))) {
    // Whoever wrote it may not have come to this step yet.
    await syncFolder(dirname(target));
    return rm(file);
  }
  await makeFolder(dirname(target));
  await renameDurably(file, target);
}

/** Says that a file is wanted again, so that nobody removes it as an old one; false when it is just gone. */
async function refresh(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Takes the file away first and looks then: from there on nobody can want it again without bringing it in himself. */
async function removeOlder(path: string, away: string, since: number): Promise<boolean> {
  try {
    await rename(path, away);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
  if ((await stat(away)).mtimeMs <= since) {
    await rm(away);
    return true;
  }
  await rename(away, path);
  return false;
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function verify(path: string, sha256: string): Promise<'ok' | 'missing' | 'damaged'> {
  if ((await sizeOf(path)) === null) return 'missing';
  const blob = await hashBytes(bytesOf(path));
  return blob.sha256 === sha256 ? 'ok' : 'damaged';
}
