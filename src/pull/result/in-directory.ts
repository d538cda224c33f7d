import { createReadStream } from 'node:fs';
import { chmod, link, lstat, mkdir, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { DirectorySource } from '../../config/schema/sources/folders.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { hiddenBeside } from './by-rename.ts';
import type { Facts, ResultPlace } from './result-place.ts';

/** Puts files into a folder of this machine. Who may write there must not choose where this program writes: no link leads out of it. */
export function resultsInDirectory({ path: base, followLinks }: DirectorySource): ResultPlace {
  const pathOf = (path: string) => join(base, ...path.split('/'));
  const failing = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw error instanceof OfferlineError ? error : failed(base, error);
    });
  return {
    look: (path) => failing(look(pathOf(path))),
    read: (path, _facts, from) => bytesOf(pathOf(path), from, base),
    makeFolder: (path) => failing(makeFolder(base, pathOf(path), followLinks)),
    place: (path, content, over) =>
      failing(place(pathOf(path), pathOf(hiddenBeside(path, content)), { content, over })),
  };
}

async function* bytesOf(path: string, from: number, base: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { start: from }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw failed(base, error);
  }
}

/** What is no plain file is nobody's result, and stays. */
async function look(path: string): Promise<Facts | undefined> {
  try {
    const found = await lstat(path);
    return found.isFile() ? { size: found.size, mtimeMs: found.mtimeMs } : { size: 0, mtimeMs: null };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function makeFolder(base: string, folder: string, followLinks: boolean): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first !== undefined) await giveModes(first, folder, (await stat(base)).mode);
  if (followLinks || `${await realpath(folder)}${sep}`.startsWith(`${await realpath(base)}${sep}`)) return;
  throw new OfferlineError(
    'pull-failed',
    `${folder} is a link that leads out of the folder. Correct source.result.to, or set source.followLinks.`,
  );
}

/** Gives folders that were made the mode of the one in which they are: whoever reads deliveries there reads results. */
async function giveModes(first: string, last: string, mode: number): Promise<void> {
  for (let folder = last; folder.startsWith(first); folder = dirname(folder)) await chmod(folder, mode & 0o777);
}

type ToPlace = { content: Buffer; over: Facts | undefined };

async function place(path: string, hidden: string, { content, over }: ToPlace): Promise<boolean> {
  await unlink(hidden).catch(unlessGone);
  const file = await open(hidden, 'wx');
  try {
    await file.writeFile(content);
    await file.chmod((await stat(dirname(path))).mode & 0o666);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    const now = await look(path);
    const isThere = now !== undefined;
    if (isThere && (now.size !== over?.size || now.mtimeMs !== over.mtimeMs)) return false;
    if (isThere) await rename(hidden, path);
    else if (!(await renameNew(hidden, path))) return false;
    await syncFolder(dirname(path));
    return true;
  } finally {
    await unlink(hidden).catch(unlessGone);
  }
}

/** Gives a file a name that is free; false where it is not. Where a file system knows no links, nothing else can make sure of it than a look. */
async function renameNew(hidden: string, path: string): Promise<boolean> {
  try {
    await link(hidden, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    await rename(hidden, path);
    return true;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function unlessGone(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error;
}

function failed(base: string, error: unknown): OfferlineError {
  return new OfferlineError('pull-failed', messageOf(error), { cause: error, details: { path: base } });
}
