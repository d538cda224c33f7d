import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { syncFile, syncFolder } from '../archive/durable.ts';
import { inParallel } from '../io/in-parallel.ts';

/** So many files at once: a disk orders what it is given together. */
const AT_ONCE = 8;

/** Fewer files than these are brought to the disk sooner one by one than with whatever else waits for it. */
const FEW = 64;

/**
 * Kinds of file systems (`statfs`) whose whole content `sync -f` brings to the disk: ext, XFS, Btrfs, F2FS, ZFS, bcachefs, overlay, tmpfs. Others, of
 * networks and of programs, may answer before it is there.
 */
const SYNCED_AT_ONCE = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x794c7630, 0x01021994,
]);

/** Brings files that were written below a folder to the disk itself, and their names. */
export async function settleFiles(
  folder: string,
  paths: readonly string[],
  syncAll: (folder: string) => Promise<boolean> = syncFileSystem,
): Promise<void> {
  if (paths.length === 0 || (paths.length > FEW && (await syncAll(folder)))) return;
  await inParallel([...paths], AT_ONCE, syncFile);
  const folders = paths.flatMap((path) => [dirname(path), dirname(dirname(path))]);
  await inParallel([...new Set([folder, ...folders])], AT_ONCE, syncFolder);
}

/** Brings everything of a folder's file system to the disk; false where that cannot be relied on. */
async function syncFileSystem(folder: string): Promise<boolean> {
  if (process.platform !== 'linux' || !SYNCED_AT_ONCE.has((await statfs(folder)).type)) return false;
  try {
    await promisify(execFile)('sync', ['-f', folder], { env: {} });
    return true;
  } catch {
    return false;
  }
}
