import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../errors.ts';
import type { Blob } from './archive.ts';

const CHUNK = 256 * 1024;

/** Reads a file's bytes in pieces. */
export function bytesOf(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: CHUNK });
}

/** Hashes bytes without keeping them; `each` sees every piece on the way. */
export async function hashBytes(
  source: AsyncIterable<Buffer>,
  each: (piece: Buffer) => Promise<void> = () => Promise.resolve(),
): Promise<Blob> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of source) {
    hash.update(piece);
    bytes += piece.length;
    await each(piece);
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Writes bytes to a new file and to the disk itself. */
export async function writeDurably(path: string, source: AsyncIterable<Buffer>): Promise<Blob> {
  const file = await open(path, 'wx', 0o600);
  try {
    const blob = await hashBytes(source, (piece) => file.writeFile(piece));
    await file.sync();
    return blob;
  } finally {
    await file.close();
  }
}

/** Brings what was written to a file, by whomever, to the disk itself. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Renames so that the new name survives a power cut; both names are in one file system. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Makes a folder with its parents so that all of them survive a power cut. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** Marks a file as wanted now, so that it is not removed as an old one; false when it has just gone. */
export async function markUsed(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Brings the names in a folder to the disk itself. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows has no handle for a folder's own entry, and needs none.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
