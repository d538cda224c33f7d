import { accessSync, constants, createWriteStream, fstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDiskFull, messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { refuseWrite } from '../../io/text-writer.ts';
import { giveModeOf } from '../umask.ts';

type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Refuses an output path that cannot be written, that is the input itself, or that is standard output, which takes the
 * answer; before any work is done.
 */
export function checkOutput(option: string, path: string, input: string): void {
  if (path === '') throw unusable(option, '""', 'it is not a file name');
  const there = statsOf(path);
  if (there?.isDirectory() === true) throw unusable(option, path, 'it is a folder');
  if (isSame(there, statsOf(input))) throw unusable(option, path, 'it is the file being checked');
  if (path === '-' || isSame(there, fstatSync(process.stdout.fd))) {
    throw unusable(option, path, 'standard output is used for the answer');
  }
  try {
    accessSync(there === null || there.isFile() ? dirname(path) : path, constants.W_OK);
  } catch (error) {
    throw unusable(option, path, systemCode(error) === 'ENOENT' ? 'its folder does not exist' : messageOf(error));
  }
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

/** Where a path leads, which need not exist yet. */
function targetOf(path: string): string {
  return realPathOf(path) ?? join(realpathSync.native(dirname(path)), basename(path));
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** Writes a whole file or none; pipes and devices are written as they are. Throws `usage` or `disk-full`. */
export async function writeOutput(option: string, path: string, chunks: Chunks): Promise<void> {
  const staged = await stageOutput(option, path);
  try {
    await pipeline(chunks, createWriteStream(staged?.path ?? path, { flags: 'a' })).catch((error: unknown) =>
      refuseWrite(path, error),
    );
    await staged?.finish();
  } catch (error) {
    if (systemCode(error) === undefined || error instanceof OfferlineError) throw error;
    throw unusable(option, path, messageOf(error));
  } finally {
    await staged?.discard();
  }
}

/**
 * A name beside a file for what is to become that file, or null for pipes and devices. `finish` puts it in its place, and
 * without that `discard` leaves no trace. Nothing is synced: after a power cut the file is made again.
 */
export async function stageOutput(option: string, path: string) {
  if (!isReplaceable(path)) return null;
  const target = realPathOf(path) ?? path;
  const temporary = `${target}.${process.pid}-${process.hrtime.bigint().toString(36)}.tmp`;
  const make = writeFile(temporary, '').then(() => giveModeOf(temporary, target));
  await make.catch((error: unknown) => {
    if (isDiskFull(error)) refuseWrite(path, error);
    throw unusable(option, path, systemCode(error) === 'ENOENT' ? 'its folder does not exist' : messageOf(error));
  });
  return {
    path: temporary,
    finish: () => rename(temporary, target).catch((error) => Promise.reject(unusable(option, path, messageOf(error)))),
    discard: () => rm(temporary, { force: true }),
  };
}

/** Under /dev even a plain file may be what somebody else has open, as stdout. */
function isReplaceable(path: string): boolean {
  if (resolve(path).startsWith('/dev/')) return false;
  const there = statsOf(path);
  return there === null || there.isFile();
}

function unusable(option: string, path: string, why: string): OfferlineError {
  return new OfferlineError('usage', `Cannot write ${option} ${path}: ${why}. Name another file.`);
}
