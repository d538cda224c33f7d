import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder, writeDurably } from '../../archive/durable.ts';
import { dropCopy, openS3Archive } from '../../archive/s3/open-s3-archive.ts';
import { objectKey } from '../../archive/s3/object-key.ts';
import { openStore } from '../../archive/s3/store.ts';
import { unindexed } from '../../archive/s3/unindexed.ts';
import { openFolderFiles } from '../../backup/folder-files.ts';
import type { BackupPlace } from '../../backup/place.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { addressOf, type CopyPlace } from '../../config/parse/archive-address.ts';
import { isUnwritable, OfferlineError, systemCode } from '../../errors.ts';
import { replaceFile } from '../../io/replace-file.ts';
import { temporaryFolder } from '../../io/temporary-folder.ts';
import { archiveFolder, cacheFolder, remoteAt } from '../archive-place.ts';
import { away, eachAway, sayAway } from './place-away.ts';

const FILES = 'files';

/**
 * Opens a place for backups: a folder, which is made if `make` is given, or a bucket. Fails with `not-found` where there is no such folder. `of`: the
 * installation on whose disk files are on their way to a bucket, several at once; those for temporary files are often smaller than one.
 */
export async function openBackupPlace(
  place: CopyPlace,
  env: NodeJS.ProcessEnv,
  { make, of }: { make: boolean; of?: Pick<LoadedConfig, 'home' | 'archive'> },
): Promise<BackupPlace> {
  return place.type === 'folder' ? folderPlace(place.folder, make) : bucketPlace(place, env, of);
}

/** What lies in a folder for backups besides texts. */
const OURS = /^(?:files|backups|(?:installation\.json|begun\.txt)(?:\..*\.tmp)?)$/u;

/** Lies in a folder while files of a backup may not be on the disk itself. */
const BEGUN = 'begun.txt';
const BEGUN_SAYS = 'A backup is being made here, or was cut. The next one reads what it left.\n';

async function folderPlace(folder: string, make: boolean): Promise<BackupPlace> {
  const names = await namesIn(folder);
  if (names === null && !make) {
    throw new OfferlineError(
      'not-found',
      `There is no folder ${folder}. Name the place that \`offerline backup\` wrote to.`,
    );
  }
  const other = names?.find((name) => !OURS.test(name));
  if (other !== undefined) {
    throw new OfferlineError(
      'usage',
      `${folder} has other files in it, such as ${other}. Name a folder with backups, or one that is empty or does not exist yet.`,
    );
  }
  if (make) await makeWritable(folder);
  const files = await sayAway(folder, () => openFolderFiles(join(folder, FILES), { make }));
  const during = <T>(work: () => Promise<T>) => sayAway(folder, work);
  const assertSame = await during(() => sameFolder(folder));
  const readText = (name: string) => during(() => textOf(join(folder, name)));
  const writeText = (name: string, text: string) =>
    during(async () => {
      await assertSame();
      await replaceFile(join(folder, name), [text]);
    });
  const removeText = (name: string) =>
    during(async () => {
      await rm(join(folder, name), { recursive: true, force: true });
      await syncFolder(dirname(join(folder, name)));
    });
  return {
    where: folder,
    address: folder,
    files: { ...files, put: (source) => during(() => files.put(source)), list: () => eachAway(folder, files.list()) },
    letGo: () => Promise.resolve(),
    removeFile: (sha256) => during(() => files.remove(sha256)),
    begin: async () => {
      if ((await readText(BEGUN)) !== null) return true;
      await writeText(BEGUN, BEGUN_SAYS);
      return false;
    },
    settle: (others) => during(() => files.settle(others)),
    end: () => removeText(BEGUN),
    texts: async (beginning) => {
      const at = beginning.lastIndexOf('/') + 1;
      const found = (await namesIn(join(folder, beginning.slice(0, at)))) ?? [];
      return found
        .map((name) => beginning.slice(0, at) + name)
        .filter((name) => name.startsWith(beginning))
        .toSorted();
    },
    readText,
    writeText,
    removeText,
    assertThere: () => during(assertSame),
    close: () => Promise.resolve(),
  };
}

/** Makes a folder that nobody else may read. */
async function makeWritable(folder: string): Promise<void> {
  await makeFolders(folder).catch((error: unknown) => {
    throw new OfferlineError('usage', `${folder} cannot be made (${systemCode(error)}). Name another place.`, {
      cause: error,
    });
  });
  await assertWritable(folder);
}

/** Empty for what is no file, which nobody wrote there as a text. */
async function textOf(path: string): Promise<string | null> {
  try {
    return (await stat(path)).isFile() ? await readFile(path, 'utf8') : '';
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return null;
    if (code === 'ELOOP') return '';
    throw error;
  }
}

/** Fails where a path has become another folder: a disk was taken away, and what is written would be on the one below. */
async function sameFolder(folder: string): Promise<() => Promise<void>> {
  const before = await stat(folder);
  return async () => {
    const { dev, ino } = await stat(folder);
    if (dev !== before.dev || ino !== before.ino) throw away(folder, 'it is another folder than before');
  };
}

/** Makes a folder with its parents. `mkdir` by itself never ends where a parent is there and takes no folder, such as in `/proc` or under an automounter. */
async function makeFolders(folder: string): Promise<void> {
  if (await makeOne(folder)) return;
  await makeFolders(dirname(folder));
  if (!(await makeOne(folder)))
    throw Object.assign(new Error(`no folder can be made at ${folder}`), { code: 'ENOENT' });
}

/** False where the parent is missing, or says so. */
async function makeOne(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    await syncFolder(dirname(folder));
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' && dirname(folder) !== folder) return false;
    // Whether it is a folder, a look into it says.
    if (code === 'EEXIST' || (await stat(folder).catch(() => null))?.isDirectory() === true) return true;
    throw error;
  }
}

/** A disk that became read-only, or a place of somebody else, is said before anything is read. */
async function assertWritable(folder: string): Promise<void> {
  for (const at of [folder, join(folder, FILES), join(folder, FILES, 'tmp'), join(folder, 'backups')]) {
    try {
      await access(at, constants.W_OK);
    } catch (error) {
      if (systemCode(error) === 'ENOENT' && at !== folder) continue;
      throw new OfferlineError(
        'usage',
        `${at} cannot be written to (${systemCode(error)}). Check its owner and permissions, or name another place.`,
        { cause: error },
      );
    }
  }
}

async function namesIn(folder: string): Promise<string[] | null> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw new OfferlineError('usage', `${folder} cannot be read (${systemCode(error)}). Name another place.`, {
      cause: error,
    });
  }
}

type Bucket = CopyPlace & { type: 's3' };

async function bucketPlace(
  place: Bucket,
  env: NodeJS.ProcessEnv,
  of: Pick<LoadedConfig, 'home' | 'archive'> | undefined,
): Promise<BackupPlace> {
  const cache = of === undefined ? await temporaryFolder('backup') : await draftFolder(of);
  try {
    return await bucketBeside(cache, place, env);
  } catch (error) {
    await rm(cache, { recursive: true, force: true });
    throw error;
  }
}

/** A folder among the drafts of an archive, which are swept when it is opened; one for temporary files where a home may only be read. */
async function draftFolder({ home, archive }: Pick<LoadedConfig, 'home' | 'archive'>): Promise<string> {
  const drafts = join(archive.type === 's3' ? cacheFolder(home) : archiveFolder(home), 'tmp');
  try {
    await makeFolders(drafts);
    return await mkdtemp(join(drafts, 'backup-'));
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return temporaryFolder('backup');
  }
}

/** `cache`: a folder for what is on its way, which goes when the place is closed. */
async function bucketBeside(cache: string, place: Bucket, env: NodeJS.ProcessEnv): Promise<BackupPlace> {
  const remote = remoteAt(place, cache, env, 'backups');
  const store = openStore(remote);
  const { prefix } = remote;
  const objects = { ...remote, prefix: `${prefix}${FILES}/` };
  const files = await openS3Archive({
    remote: objects,
    store,
    index: unindexed(),
    cacheBytes: Number.MAX_SAFE_INTEGER,
    now: Date.now,
  });
  const letGo = (sha256: string) => dropCopy(cache, sha256);
  return {
    where: store.place,
    address: addressOf(place),
    files: {
      ...files,
      put: async (source) => {
        const blob = await files.put(source);
        await letGo(blob.sha256);
        return blob;
      },
    },
    letGo,
    removeFile: (sha256) => store.remove(objects.prefix + objectKey(sha256, 0)),
    // A store answers when it has an object for good.
    begin: () => Promise.resolve(false),
    settle: () => Promise.resolve(),
    end: () => Promise.resolve(),
    texts: async (beginning) => {
      const found: string[] = [];
      for await (const { key } of store.list(prefix + beginning)) found.push(key.slice(prefix.length));
      return found.toSorted();
    },
    readText: async (name, signal) => {
      const bytes = await store.get(prefix + name, signal);
      if (bytes === null) return null;
      const pieces: Buffer[] = [];
      for await (const piece of bytes) pieces.push(piece);
      return Buffer.concat(pieces).toString('utf8');
    },
    writeText: async (name, text) => {
      const draft = join(cache, 'tmp', randomUUID());
      try {
        const blob = await writeDurably(draft, bytesOf(text));
        await store.put(prefix + name, draft, blob, { replace: true });
      } finally {
        await rm(draft, { force: true });
      }
    },
    removeText: (name) => store.remove(prefix + name),
    assertThere: () => Promise.resolve(),
    close: async () => {
      await store[Symbol.asyncDispose]();
      await rm(cache, { recursive: true, force: true });
    },
  };
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
