import { open } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { basename } from 'node:path';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import { save, tooLarge, type Saved } from './save.ts';
import { cleanName, type PulledFile } from './source.ts';

/** A path as the file system has it: bytes where the name may be in an old charset. */
export type RawPath = string | Buffer;

export type Copied = Saved & {
  stats: Stats;
  /** False: the file was changed, grew, or was replaced while it was read. */
  steady: boolean;
};

/** Copies a local file to `target` and tells whether it stood still meanwhile. Throws as `save`, and what `open` throws. */
export async function copyFile(path: RawPath, options: Parameters<typeof save>[1]): Promise<Copied> {
  const file = await open(path, 'r');
  try {
    const stats = await file.stat();
    if (stats.isFile() && stats.size > options.limit) {
      throw tooLarge(options.what, `${stats.size} bytes`, options.limit);
    }
    const saved = await save(file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 }), options);
    const after = await file.stat();
    const steady = !stats.isFile() || (isSame(stats, after) && saved.bytes === after.size);
    return { ...saved, stats, steady };
  } finally {
    await file.close();
  }
}

/** True when nothing says that a file was changed between two looks. */
export function isSame(a: Stats, b: Stats): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}

/**
 * Pulls the one file that a user named, wherever it is; it is not changed. Throws `not-found` when it does not exist,
 * `usage` when it is a folder or cannot be read, and as `save`.
 */
export async function pullFile(
  path: string,
  target: string,
  options: { limits?: { fileSize: number }; signal?: AbortSignal } = {},
): Promise<PulledFile> {
  const { limits = { fileSize: Infinity }, signal } = options;
  const copied = await copyFile(path, { target, what: path, limit: limits.fileSize, signal }).catch((error: unknown) =>
    refuse(error, path),
  );
  if (!copied.steady) {
    throw new OfferlineError('pull-failed', `${path} was changed while it was read. Run again when it is complete.`, {
      retryable: true,
    });
  }
  const { bytes, sha256, stats } = copied;
  const name = cleanName(basename(path)) || 'file';
  return {
    kind: 'file',
    name,
    path: target,
    bytes,
    sha256,
    checkpoint: { origin: 'file', name, size: bytes, sha256, mtimeMs: stats.mtimeMs },
    superseded: [],
    modifiedAt: stats.isFile() ? stats.mtimeMs : null,
  };
}

function refuse(error: unknown, path: string): never {
  const code = systemCode(error);
  if (code === undefined || error instanceof OfferlineError) throw error;
  if (code === 'ENOENT') throw new OfferlineError('not-found', `There is no file ${path}.`, { cause: error });
  if (code === 'EISDIR') throw new OfferlineError('usage', `${path} is a folder; name a file.`, { cause: error });
  throw new OfferlineError('usage', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
}
