import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Blob } from '../archive/archive.ts';
import { bytesOf, hashBytes, makeFolder } from '../archive/durable.ts';
import { keptFile, verifyKept } from '../archive/folder.ts';
import { listBlobs, sweepLeftovers } from '../archive/walk.ts';
import { systemCode } from '../errors.ts';
import type { BackupFiles } from './place.ts';
import { settleFiles } from './settle.ts';

/** Files of backups in a folder: `ab/abcd…` for each hash, and `tmp` for drafts. What is put is on the disk itself only when it was settled. */
export type FolderFiles = BackupFiles & {
  remove: (sha256: string) => Promise<void>;
  /** Brings these files, and those that were put since, to the disk itself. */
  settle: (others: readonly string[]) => Promise<void>;
};

/** Opens the files of backups in a folder. With `make`, it is made where it is not there, and drafts of cut backups go. */
export async function openFolderFiles(folder: string, { make }: { make: boolean }): Promise<FolderFiles> {
  const temp = join(folder, 'tmp');
  if (make) {
    await makeFolder(temp);
    await sweepLeftovers(temp);
  }
  let unsettled: string[] = [];
  const file = (sha256: string) => keptFile(folder, sha256, 1);
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);
  const place = async (draft: string, blob: Blob): Promise<void> => {
    const path = pathOf(blob.sha256);
    // One that is there may belong to a backup that is whole: a name on bytes that may still be lost must not take its place.
    if ((await sizeOf(path)) === blob.bytes && (await verifyKept(file(blob.sha256))) === 'ok') return rm(draft);
    await moveTo(draft, path);
    unsettled.push(path);
  };
  const put = async (source: string | AsyncIterable<Buffer>): Promise<Blob> => {
    const draft = join(temp, randomUUID());
    try {
      const blob = await write(draft, typeof source === 'string' ? bytesOf(source) : source);
      await place(draft, blob);
      return blob;
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  };
  return {
    file,
    put,
    verify: (sha256) => verifyKept(file(sha256)),
    remove: (sha256) => rm(pathOf(sha256), { recursive: true, force: true }),
    list: () => listBlobs(folder, 1),
    settle: async (others) => {
      await settleFiles(folder, [...unsettled, ...others.map(pathOf)]);
      unsettled = [];
    },
  };
}

async function write(path: string, source: AsyncIterable<Buffer>): Promise<Blob> {
  const draft = await open(path, 'wx', 0o600);
  try {
    return await hashBytes(source, (piece) => draft.writeFile(piece));
  } finally {
    await draft.close();
  }
}

/** Bytes of a file; null where there is none. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function moveTo(draft: string, path: string): Promise<void> {
  try {
    await rename(draft, path);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') await makeIfMissing(dirname(path));
    else if (code === 'EISDIR' || code === 'ENOTEMPTY') await rm(path, { recursive: true });
    else throw error;
    await rename(draft, path);
  }
}

/** Without parents: where a disk was taken away, nothing is to be made on the one below. */
async function makeIfMissing(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
