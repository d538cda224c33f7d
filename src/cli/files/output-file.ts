import {
  accessSync,
  constants,
  createWriteStream,
  fstatSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs';
import { copyFile, link, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDiskFull, messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { giveModeOf } from '../umask.ts';
import { nameBeside, removeLeft } from './beside.ts';

type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Refuses an output path that cannot be written, that is the input itself, or that is standard output, which takes the
 * answer; before any work is done.
 */
export function checkOutput(option: string, path: string, input: string): void {
  if (path === '') throw unusable(option, '""', 'it is not a file name');
  const there = statsOf(path);
  if (there?.isDirectory() === true || path.endsWith('/')) throw unusable(option, path, 'it is a folder');
  if (isSame(there, statsOf(input))) throw unusable(option, path, 'it is the file being checked');
  if (path === '-' || isSame(there, fstatSync(process.stdout.fd))) {
    throw unusable(option, path, 'standard output is used for the answer');
  }
  try {
    // A file is replaced by another that is made beside it.
    if (there === null || there.isFile()) assertWritable(dirname(targetOf(path)));
    if (there !== null) assertWritable(path);
  } catch (error) {
    throw unwritable(option, path, error);
  }
}

function assertWritable(path: string): void {
  accessSync(path, constants.W_OK);
}

/** Whether two paths lead to one file, be it through links; a device such as /dev/null may be named twice. */
export function isSameFile(one: string, other: string): boolean {
  const [there, here] = [statsOf(one), statsOf(other)];
  return there !== null && here !== null ? isSame(there, here) : targetOf(one) === targetOf(other);
}

function statsOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function isSame(one: Stats | null, other: Stats | null): boolean {
  if (one === null || other === null || one.isCharacterDevice()) return false;
  return one.ino === other.ino && one.dev === other.dev;
}

/** The file that a path leads to, also through links; it need not exist yet, but its folder must. */
function targetOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    const link = linkAt(path);
    // The dot refuses what is no folder.
    return link === null ? join(realpathSync.native(`${dirname(path)}/.`), basename(path)) : targetOf(link);
  }
}

function linkAt(path: string): string | null {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return null;
  }
}

/** Writes a whole file or none; pipes and devices are written as they are. Throws `usage`. */
export async function writeOutput(option: string, path: string, chunks: Chunks): Promise<void> {
  const staged = await stageOutput(option, path);
  try {
    await pipeline(chunks, createWriteStream(staged?.path ?? path, { flags: 'a' }));
    await staged?.finish();
  } catch (error) {
    if (systemCode(error) === undefined || error instanceof OfferlineError) throw error;
    throw unwritable(option, path, error);
  } finally {
    await staged?.discard();
  }
}

/**
 * A name beside a file for what is to become that file, or null for pipes and devices. `finish` puts it in its place, where
 * something may be already unless it is `new`, and without that `discard` leaves no trace; what killed processes left there goes.
 * Nothing is synced: after a power cut the file is made again.
 */
export async function stageOutput(option: string, path: string, kind: 'any' | 'new' = 'any') {
  if (!isReplaceable(path)) return null;
  const refuse = (error: unknown): never => {
    throw unwritable(option, path, error);
  };
  try {
    const target = targetOf(path);
    await removeLeft(dirname(target));
    const temporary = nameBeside(target);
    await writeFile(temporary, '', { flag: 'wx' });
    // Last, because a mode may forbid to write.
    const replace = () => giveModeOf(temporary, target).then(() => rename(temporary, target));
    return {
      path: temporary,
      /** Throws `usage`, and with `new` the system's error when there is a file. */
      finish: () => (kind === 'new' ? placeNew(temporary, target) : replace().catch(refuse)),
      discard: () => rm(temporary, { force: true }),
    };
  } catch (error) {
    return refuse(error);
  }
}

/** Renaming would replace what another process has written meanwhile; a link does not, and not every file system has them. */
async function placeNew(temporary: string, target: string): Promise<void> {
  await link(temporary, target).catch((error: unknown) => {
    if (systemCode(error) === 'EEXIST') throw error;
    return copyFile(temporary, target, constants.COPYFILE_EXCL);
  });
}

/** The error for a file that was named with an option and cannot be written: what to do about a full disk is the user's, too. */
export function unwritable(option: string, path: string, error: unknown): OfferlineError {
  if (isDiskFull(error) || (error instanceof OfferlineError && error.code === 'disk-full')) {
    const message = `Cannot write ${option} ${path}: there is no space left for it. Free some, or name a file on another disk.`;
    return new OfferlineError('usage', message, { cause: error });
  }
  return unusable(option, path, REASONS.get(systemCode(error) ?? '') ?? messageOf(error));
}

function unusable(option: string, path: string, why: string): OfferlineError {
  return new OfferlineError('usage', `Cannot write ${option} ${path}: ${why}. Name another file.`);
}

/** Under /dev even a plain file may be what somebody else has open, as stdout. */
function isReplaceable(path: string): boolean {
  if (/^\/dev\/(?!shm\/)/u.test(resolve(path))) return false;
  const there = statsOf(path);
  return there === null || there.isFile();
}

const REASONS = new Map([
  ['ENOENT', 'its folder does not exist'],
  ['ENOTDIR', 'what should be its folder is a file'],
  ['ELOOP', 'it is a link that leads back to itself'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EACCES', 'you may not write there'],
  ['EROFS', 'you may not write there'],
]);
