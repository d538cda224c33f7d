import { createWriteStream } from 'node:fs';
import { access, constants, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import { refuseWrite } from '../text-writer.ts';

type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** Refuses an output path that cannot be written or that is the input itself, before any work is done. */
export async function checkOutput(option: string, path: string, input: string): Promise<void> {
  const there = await stat(path).catch(() => null);
  if (there?.isDirectory() === true) throw unusable(option, path, 'it is a folder');
  const source = await stat(input).catch(() => null);
  if (there?.isFile() === true && there.ino === source?.ino && there.dev === source.dev) {
    throw unusable(option, path, 'it is the file that is checked');
  }
  try {
    await access(there === null || there.isFile() ? dirname(path) : path, constants.W_OK);
  } catch (error) {
    throw unusable(option, path, systemCode(error) === 'ENOENT' ? 'its folder does not exist' : messageOf(error));
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
  if (!(await isReplaceable(path))) return null;
  const target = await realpath(path).catch(() => path);
  const temporary = `${target}.${process.pid}-${process.hrtime.bigint().toString(36)}.tmp`;
  return {
    path: temporary,
    finish: () => rename(temporary, target).catch((error) => Promise.reject(unusable(option, path, messageOf(error)))),
    discard: () => rm(temporary, { force: true }),
  };
}

/** Under /dev even a plain file may be what somebody else has open, as stdout. */
async function isReplaceable(path: string): Promise<boolean> {
  if (resolve(path).startsWith('/dev/')) return false;
  const there = await stat(path).catch(() => null);
  return there === null || there.isFile();
}

function unusable(option: string, path: string, why: string): OfferlineError {
  return new OfferlineError('usage', `Cannot write ${option} ${path}: ${why}. Name another file.`);
}
