import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
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

/** What drafts are called; nothing else goes, and nothing at all from where a link leads that somebody put in the place of the folder for drafts. */
const DRAFT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** Opens the files of backups in a folder. With `make`, it is made where it is not there, and drafts of cut backups go. */
export async function openFolderFiles(folder: string, { make }: { make: boolean }): Promise<FolderFiles> {
  const temp = join(folder, 'tmp');
  if (make) {
    await makeFolder(temp);
    if (!(await lstat(temp)).isSymbolicLink()) await sweepLeftovers(temp, { names: DRAFT });
  }
  let unsettled: string[] = [];
  const depth = await depthOf(folder);
  const file = (sha256: string) => keptFile(folder, sha256, depth);
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), depth === 2 ? sha256.slice(2, 4) : '', sha256);
  const place = async (draft: string, blob: Blob): Promise<void> => {
    const path = pathOf(blob.sha256);
    // One that is there may belong to a backup that is whole: a name on bytes that may still be lost must not take its place.
    if ((await sizeOf(path)) === blob.bytes && (await verifyKept(file(blob.sha256))) === 'ok') return rm(draft);
    await moveTo(draft, path, depth === 2 ? [dirname(dirname(path)), dirname(path)] : [dirname(path)]);
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
    list: () => listBlobs(folder, depth),
    settle: async (others) => {
      await settleFiles(folder, [...unsettled, ...others.map(pathOf)]);
      unsettled = [];
    },
  };
}

const PAIR = /^[0-9a-f]{2}$/u;

/** How many folders are above each file: one, or two in a place that earlier versions began. */
async function depthOf(folder: string): Promise<1 | 2> {
  for (const name of await namesIn(folder)) {
    if (!PAIR.test(name)) continue;
    const [first] = await namesIn(join(folder, name));
    if (first !== undefined) return PAIR.test(first) ? 2 : 1;
  }
  return 1;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
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

/** `folders`: those that may be missing, the outer one first. */
async function moveTo(draft: string, path: string, folders: string[]): Promise<void> {
  try {
    await rename(draft, path);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') for (const one of folders) await makeIfMissing(one);
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
