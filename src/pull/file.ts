import { open, stat } from 'node:fs/promises';
import { constants, type Stats } from 'node:fs';
import { basename } from 'node:path';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import { setTotal, type Meter } from '../gauge.ts';
import { save, tooLarge, type Saved } from './save/save.ts';
import { cleanName, type PulledFile } from './source.ts';

/** A path as the file system has it: bytes where the name may be in an old charset. */
export type RawPath = string | Buffer;

export type Copied = Saved & {
  stats: Stats;
  /** False: the file was changed, grew, or was replaced while it was read. */
  steady: boolean;
};

/**
 * Copies a local file to `target` and says whether it stayed unchanged meanwhile; undefined when it is not a plain file. A pipe is
 * not waited for, a device not read; what is checked is what was opened. Throws as `save`, and what `open` throws.
 */
export async function copyFile(
  path: RawPath,
  options: Parameters<typeof save>[1] & { followLink: boolean },
): Promise<Copied | undefined> {
  // Windows has neither flag.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants> & { O_RDONLY: number };
  const file = await open(path, O_RDONLY | O_NONBLOCK | (options.followLink ? 0 : O_NOFOLLOW));
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    if (stats.size > options.limit) throw tooLarge(options.what, `${stats.size} bytes`, options.limit);
    setTotal(options.meter, stats.size);
    const saved = await save(file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 }), options);
    const after = await file.stat();
    return { ...saved, stats, steady: isSame(stats, after) && saved.bytes === after.size };
  } finally {
    await file.close();
  }
}

/** What a path leads to when it is not a plain file, as in "… is a folder". */
export function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** The refusal of a path that a user named, which leads to no plain file. */
export function notAFile(path: string, stats: Stats): OfferlineError {
  const advice = stats.isDirectory() ? 'name a file' : 'save its output to a file, and name that file';
  return new OfferlineError('usage', `${path} is ${kindOf(stats)}; ${advice}.`);
}

/** True when nothing says that a file was changed between two looks. */
export function isSame(a: Stats, b: Stats): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}

/**
 * Pulls the one file that a user named, wherever it is; it is not changed. Throws `not-found` when it does not exist,
 * `usage` when it is not a plain file or cannot be read, and as `save`.
 */
export async function pullFile(
  path: string,
  target: string,
  options: { limits?: { fileSize: number }; signal?: AbortSignal; meter?: Meter } = {},
): Promise<PulledFile> {
  const { limits = { fileSize: Infinity }, signal, meter } = options;
  const wanted = { target, what: path, limit: limits.fileSize, followLink: true, signal, meter };
  const copied = await copyFile(path, wanted).catch((error: unknown) => refuse(error, path));
  if (copied === undefined) throw notAFile(path, await stat(path));
  if (!copied.steady) {
    throw new OfferlineError('pull-failed', `${path} changed while it was being read. Try again when it is complete.`, {
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
    listed: null,
    modifiedAt: stats.mtimeMs,
  };
}

function refuse(error: unknown, path: string): never {
  const code = systemCode(error);
  if (code === undefined || error instanceof OfferlineError) throw error;
  if (code === 'ENOENT') throw new OfferlineError('not-found', `There is no file ${path}.`, { cause: error });
  throw new OfferlineError('usage', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
}
