import { createWriteStream } from 'node:fs';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';

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
  const target = await realpath(path).catch(() => path);
  const there = await stat(target).catch(() => null);
  try {
    if (there === null || there.isFile()) {
      const { replaceFile } = await import('../replace-file.ts');
      await replaceFile(target, chunks);
    } else {
      await pipeline(chunks, createWriteStream(target));
    }
  } catch (error) {
    if (systemCode(error) === undefined || (error instanceof OfferlineError && error.code === 'disk-full')) throw error;
    throw unusable(option, path, messageOf(error));
  }
}

function unusable(option: string, path: string, why: string): OfferlineError {
  return new OfferlineError('usage', `Cannot write ${option} ${path}: ${why}. Name another file.`);
}
