import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Archive, Blob } from '../archive.ts';
import { KEEP_DAMAGED, type KeptFile } from '../damage.ts';
import { sayDiskFull } from '../disk-full.ts';
import { bytesOf, hashBytes, writeDurably } from '../durable.ts';
import { keptFile, openArchive } from '../folder.ts';
import { listBlobs } from '../walk.ts';
import { objectPages, standingOf } from './listing.ts';
import { fetchKey, keysOf } from './near.ts';
import { objectKey, readObjectKey } from './object-key.ts';
import { questionsToRemote, verifyBoth } from './questions.ts';
import type { ObjectIndex } from './object-index.ts';
import type { Remote } from './remote.ts';
import type { ObjectStore } from './store.ts';

/** What an archive on a store of objects is made of. */
export type S3Archive = {
  remote: Remote;
  store: ObjectStore;
  index: ObjectIndex;
  /** How many bytes of copies are kept here. */
  cacheBytes: number;
  now: () => number;
};

/**
 * The archive in a bucket: one object for each file, which is only ever written whole, and copies here of what was read lately. What the store
 * says of times and versions decides nothing; when a file was brought in last is in the index.
 */
export async function openS3Archive(made: S3Archive): Promise<Archive> {
  const { remote, store, index, now } = made;
  const { prefix } = remote;
  // Its own folders for drafts and copies, which nobody else reads.
  const local = await openArchive(remote.cache);
  const file = (sha256: string): KeptFile => ({ ...keptFile(remote.cache, sha256), remote });
  const keyOf = (sha256: string, generation: number) => prefix + objectKey(sha256, generation);

  let untrimmed = Infinity;
  const keepCopy = async (path: string, { sha256, bytes }: Blob): Promise<void> => {
    const copy = file(sha256).unverifiedPath;
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    await rename(path, copy);
    untrimmed += bytes;
    // Looking at all copies takes a while.
    if (untrimmed < made.cacheBytes / TRIMMINGS) return;
    untrimmed = 0;
    await trimCache(remote.cache, made.cacheBytes);
  };

  return {
    put: (source) =>
      sayDiskFull(remote.cache, async () => {
        const draft = join(remote.cache, 'tmp', randomUUID());
        try {
          const blob = await writeDurably(draft, typeof source === 'string' ? bytesOf(source) : source);
          await bringIn(draft, blob, made);
          await keepCopy(draft, blob);
          return blob;
        } finally {
          await rm(draft, { force: true });
        }
      }),
    adopt: (path, known) =>
      sayDiskFull(remote.cache, async () => {
        const blob = known ?? (await hashBytes(bytesOf(path)));
        await bringIn(path, blob, made);
        await keepCopy(path, blob).catch(() => rm(path, { force: true }));
        return blob;
      }),
    ...questionsToRemote(remote, store),
    remove: async (sha256) => {
      await rm(file(sha256).unverifiedPath, { force: true });
      for await (const key of keysOf(file(sha256).sha256, store, prefix)) await removeKey(sha256, key, made);
    },
    removeOlder: async (sha256, since) => {
      const generation = await index.giveUp(sha256, since, now());
      if (generation === null) return false;
      await store.remove(keyOf(sha256, generation));
      await rm(file(sha256).unverifiedPath, { force: true });
      return true;
    },
    setAside: (sha256) => setAside(file(sha256), made),
    takeBack: (sha256) => sayDiskFull(remote.cache, () => takeBack(file(sha256), made)),
    list: () => listObjects(made),
    tempFolder: local.tempFolder,
  };
}

/**
 * Writes a finished file, of which it is noted before that it is brought in; what is there already is read, and replaced when it is damaged.
 * `damaged`: the generation that is known to be.
 */
export async function bringIn(
  path: string,
  blob: Blob,
  { remote, store, index, now }: Omit<S3Archive, 'cacheBytes'>,
  damaged: number | null = null,
): Promise<void> {
  const generation = await index.want(blob, now());
  const key = remote.prefix + objectKey(blob.sha256, generation);
  if (generation !== damaged) {
    if ((await store.put(key, path, blob)) === 'made' || (await isWhole(store, key, blob.sha256))) return;
  }
  await store.put(key, path, blob, { replace: true });
}

/** The copies are looked at whenever so large a part of them came in anew. */
const TRIMMINGS = 20;

/** Whether the object of a key is what its hash says. */
export async function isWhole(store: ObjectStore, key: string, sha256: string): Promise<boolean> {
  const bytes = await store.get(key);
  return bytes !== null && (await hashBytes(bytes)).sha256 === sha256;
}

/** Gives a file up under one of its keys, and removes the object; nothing that came in meanwhile has that key. */
async function removeKey(sha256: string, key: string, { remote, store, index, now }: S3Archive): Promise<void> {
  const bytes = await store.size(key);
  if (bytes === null) return;
  const { generation } = readObjectKey(key.slice(remote.prefix.length))!;
  await index.found({ sha256, bytes }, generation, 0);
  await index.giveUp(sha256, Number.MAX_SAFE_INTEGER, now());
  const last = (await index.givenUp([sha256])).get(sha256) ?? -1;
  if (generation <= last) await store.remove(key);
}

const DAMAGED = 'damaged/';

/** The key of an object that was set aside, with the time at which it was, epoch milliseconds. */
function damagedKey(sha256: string, at: number): string {
  return `${DAMAGED}${sha256}-${at}-${randomUUID()}`;
}

/** Removes what was set aside so long ago that nobody examines it any more. */
async function sweepDamaged({ remote, store, now }: S3Archive): Promise<void> {
  const before = now() - KEEP_DAMAGED * 86_400_000;
  for await (const { key } of store.list(remote.prefix + DAMAGED)) {
    const at = /^[0-9a-f]{64}-(\d+)-/u.exec(key.slice(remote.prefix.length + DAMAGED.length))?.[1];
    if (at !== undefined && Number(at) < before) await store.remove(key);
  }
}

/** Objects that are not whole are copied to `damaged/` for people, and given up: what is brought in next has another key. */
async function setAside(file: KeptFile, made: S3Archive): Promise<void> {
  const { remote, store } = made;
  if ((await verifyBoth(file, remote, store)) !== 'damaged') return;
  for await (const key of keysOf(file.sha256, store, remote.prefix)) {
    if ((await store.size(key)) === null) continue;
    await store.copy(key, `${remote.prefix}${damagedKey(file.sha256, made.now())}`);
    await removeKey(file.sha256, key, made);
  }
}

/** Reads what was set aside once more; what is whole is brought in again. */
async function takeBack({ sha256 }: KeptFile, made: S3Archive): Promise<boolean> {
  const { remote, store } = made;
  for await (const { key } of store.list(`${remote.prefix}${DAMAGED}${sha256}-`)) {
    const draft = join(remote.cache, 'tmp', randomUUID());
    try {
      if ((await fetchKey(draft, key, sha256, store)) !== 'whole') continue;
      await bringIn(draft, { sha256, bytes: (await stat(draft)).size }, made);
      await store.remove(key);
      return true;
    } finally {
      await rm(draft, { force: true });
    }
  }
  return false;
}

/** No removal is under way for so long. */
const REMEMBERED = 30 * 86_400_000;

/** All objects with the time of the index; what was given up and is still there is removed once more, and what nobody knows counts as brought in now. */
async function* listObjects(made: S3Archive): AsyncGenerator<Blob & { at: number }> {
  const { store, remote, index, now } = made;
  await sweepDamaged(made);
  for await (const page of objectPages(store, remote.prefix)) {
    for (const { found, at } of await standingOf(page, index)) {
      const { sha256, bytes, generation, key } = found;
      if (at === 'given up') await store.remove(key);
      else {
        const since = at === 'unknown' ? now() : at;
        if (at === 'unknown') await index.found({ sha256, bytes }, generation, since);
        yield { sha256, bytes, at: since };
      }
    }
  }
  await index.forget(now() - REMEMBERED);
}

/** A copy that was used within this time stays, however many there are: somebody may be about to open it. */
const IN_USE = 3_600_000;
/** Room is made for more than one file at once. */
const FREED = 0.9;

/** Removes the copies that were used least lately while there are more bytes than wanted. */
async function trimCache(folder: string, most: number, now: number = Date.now()): Promise<void> {
  const copies: { sha256: string; bytes: number; at: number }[] = [];
  let bytes = 0;
  for await (const copy of listBlobs(folder)) {
    copies.push(copy);
    bytes += copy.bytes;
  }
  if (bytes <= most) return;
  for (const copy of copies.toSorted((a, b) => a.at - b.at)) {
    if (bytes <= most * FREED || now - copy.at < IN_USE) return;
    await rm(keptFile(folder, copy.sha256).unverifiedPath, { force: true });
    bytes -= copy.bytes;
  }
}

/** Removes the copy of a file from the folder of copies. */
export async function dropCopy(cache: string, sha256: string): Promise<void> {
  await rm(keptFile(cache, sha256).unverifiedPath, { force: true });
}
