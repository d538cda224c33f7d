import { constants, copyFile, link, lstat, mkdir, rename, unlink } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import type { DirectorySource } from '../config/schema/sources/folders.ts';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import type { Listed } from './choose/choose.ts';
import { identityOf } from './choose/past.ts';
import { cleanName } from './source.ts';

/** What became of a file that was to be moved or deleted: it was, it had been changed since and stays, or it was not there. */
export type Acknowledged = 'done' | 'changed' | 'gone';

/**
 * Moves or deletes a file of a folder. It is renamed first and looked at under that name, so that one which took its place a
 * moment before is seen and put back.
 */
export async function acknowledgeInDirectory(source: DirectorySource, file: Listed): Promise<Acknowledged> {
  if (file.name.includes('\uFFFD')) throw refusal(source, file, 'its name is in another charset');
  const path = join(source.path, file.name);
  const aside = join(source.path, `.offerline-${identityOf(file).slice(0, 16)}`);
  try {
    if (!(await isThere(aside))) {
      if (!(await isThere(path))) return 'gone';
      await rename(path, aside);
    }
    if (!(await isSame(aside, file))) {
      await putBack(aside, path);
      return 'changed';
    }
    if (source.after === 'delete') await unlink(aside);
    else await moveInto(resolve(source.path, source.moveTo), file.name, aside);
    return 'done';
  } catch (error) {
    // Under its own name again, as the supplier knows it.
    await putBack(aside, path).catch(() => undefined);
    throw refusal(source, file, messageOf(error), error);
  }
}

function refusal({ path, after }: DirectorySource, { name }: Listed, why: string, cause?: unknown): OfferlineError {
  const what = `${join(path, cleanName(name))} was taken, but cannot be ${after === 'delete' ? 'deleted' : 'moved'} (${why})`;
  const message = `${what}. Grant write access to its folder, or set source.after: keep.`;
  return new OfferlineError('pull-failed', message, { cause, details: { path } });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

async function isSame(path: string, { size, mtimeMs }: Listed): Promise<boolean> {
  const now = await lstat(path);
  return now.isFile() && now.size === size && now.mtimeMs === mtimeMs;
}

/** Without replacing what came there meanwhile: that is newer, and this file stays aside under its hidden name. */
async function putBack(aside: string, path: string): Promise<void> {
  await place(aside, path);
}

/** Gives a file another path, in any file system; false when there is a file already, which stays. */
async function place(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch((error: unknown) => {
      if (systemCode(error) === 'EEXIST') throw error;
      // Another file system, or one without links.
      return copyFile(from, to, constants.COPYFILE_EXCL);
    });
    await unlink(from);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

const MOST_OF_ONE_NAME = 1000;

/** Under its name, or the first of `prices (2).csv` and so on that is free. */
async function moveInto(folder: string, name: string, aside: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { name: stem, ext } = parse(name);
  for (let number = 1; number < MOST_OF_ONE_NAME; number++) {
    const free = number === 1 ? name : `${stem} (${number})${ext}`;
    if (await place(aside, join(folder, free))) return;
  }
  throw new Error(`${folder} has ${MOST_OF_ONE_NAME} files of this name`);
}
