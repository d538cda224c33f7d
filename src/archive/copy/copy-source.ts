import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Blob } from '../archive.ts';
import { damageOf, shownPath, type Damage } from '../damage.ts';
import { keptFile } from '../folder.ts';
import { keptBytes } from '../kept-file.ts';
import { objectPages, standingOf, type Found } from '../s3/listing.ts';
import { fetchKey } from '../s3/near.ts';
import { objectKey } from '../s3/object-key.ts';
import type { ObjectIndex } from '../s3/object-index.ts';
import { shownRemote, type Remote } from '../s3/remote.ts';
import type { ObjectStore } from '../s3/store.ts';
import { listBlobs } from '../walk.ts';

/** A file of a source; `generations`: those of its objects, the newest first; none in a folder. */
export type SourceFile = Blob & { generations: number[] };

/** An archive that is copied from. Its files are only read. */
export type CopySource = {
  /** Where it is, for people. */
  place: string;
  /** Its files, in the order of their hashes. */
  list: () => AsyncIterable<SourceFile>;
  /** Writes the bytes of a file to a new path and answers with their number, or with what is wrong: then nothing that was written counts. */
  fetch: (file: SourceFile, path: string) => Promise<number | Damage>;
  /** Where a file is, for people. */
  shown: (file: SourceFile) => string;
};

/** The archive in a folder. */
export function folderSource(folder: string): CopySource {
  return {
    place: folder,
    list: async function* () {
      for await (const { sha256, bytes } of listBlobs(folder)) yield { sha256, bytes, generations: [] };
    },
    fetch: async ({ sha256 }, path) => {
      try {
        await pipeline(keptBytes(keptFile(folder, sha256)), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
        return (await stat(path)).size;
      } catch (error) {
        const found = damageOf(error);
        if (found === null) throw error;
        return found.damage;
      }
    },
    shown: ({ sha256 }) => shownPath(keptFile(folder, sha256)),
  };
}

/**
 * The archive in a bucket. `index`: what the ledger knows of its files, given where it is the archive of that ledger: then what was given up
 * is left out, and what nobody knows is noted, as by a listing of the archive.
 */
export function bucketSource(
  { store, remote, now }: { store: ObjectStore; remote: Remote; now: () => number },
  index: ObjectIndex | null,
): CopySource {
  return {
    place: store.place,
    list: () => byHash(index === null ? objectPages(store, remote.prefix) : counting(store, remote, index, now)),
    fetch: async ({ sha256, generations }, path) => {
      let damage: Damage = 'missing';
      for (const generation of generations) {
        const got = await fetchKey(path, remote.prefix + objectKey(sha256, generation), sha256, store);
        if (got === 'whole') return (await stat(path)).size;
        if (got === 'damaged') damage = got;
      }
      return damage;
    },
    shown: ({ sha256, generations }) => shownRemote(remote) + objectKey(sha256, generations[0] ?? 0),
  };
}

/** The objects that count by the index. */
async function* counting(
  store: ObjectStore,
  { prefix }: Remote,
  index: ObjectIndex,
  now: () => number,
): AsyncGenerator<Found[]> {
  for await (const page of objectPages(store, prefix)) {
    const standing = await standingOf(page, index);
    for (const { found, at } of standing) {
      if (at === 'unknown') await index.found(found, found.generation, now());
    }
    yield standing.filter(({ at }) => at !== 'given up').map(({ found }) => found);
  }
}

/** The objects of a hash as one file; they follow one another. */
async function* byHash(pages: AsyncIterable<Found[]>): AsyncGenerator<SourceFile> {
  let objects: Found[] = [];
  for await (const page of pages) {
    for (const found of page) {
      if (objects.length > 0 && objects[0]!.sha256 !== found.sha256) {
        yield fileOf(objects);
        objects = [];
      }
      objects.push(found);
    }
  }
  if (objects.length > 0) yield fileOf(objects);
}

function fileOf(objects: Found[]): SourceFile {
  const newest = objects.toSorted((a, b) => b.generation - a.generation);
  const { sha256, bytes } = newest[0]!;
  return { sha256, bytes, generations: newest.map(({ generation }) => generation) };
}
