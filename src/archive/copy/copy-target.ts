import type { Archive, Blob } from '../archive.ts';
import { openArchive } from '../folder.ts';
import { objectPages } from '../s3/listing.ts';
import { objectKey } from '../s3/object-key.ts';
import { bringIn, isWhole, type S3Archive } from '../s3/open-s3-archive.ts';
import { listBlobs } from '../walk.ts';

/** What lies in a target: in a bucket each generation of a file is an object of its own, in a folder all files have the generation 0. */
export type TargetFile = Blob & { generation: number };

/** Under which generation a file has to lie, and whether it is known to be kept there. */
export type Wanted = { generation: number; known: boolean };

/** An archive that is copied to. */
export type CopyTarget = {
  /** Where it is, for people. */
  place: string;
  /** A new empty folder for files before they are brought in; what a killed process leaves of it is swept. */
  tempFolder: Archive['tempFolder'];
  /** What lies there, in the order of the hashes. */
  list: () => AsyncIterable<TargetFile>;
  /** What is wanted of several files. */
  wanted: (sha256s: string[]) => Promise<(sha256: string) => Wanted>;
  /** Reads what lies there, and says whether it is what its hash says. */
  isWhole: (file: Pick<TargetFile, 'sha256' | 'generation'>) => Promise<boolean>;
  /** Whether a file lies there in its size, by asking for it alone: a listing may be late. */
  holds: (file: TargetFile) => Promise<boolean>;
  /** Notes that a file is kept that lies there already. */
  keep: (blob: Blob) => Promise<void>;
  /** Brings a finished file in; afterwards its path may be gone. `damaged`: the generation that is known to be. */
  bring: (path: string, blob: Blob, damaged: number | null) => Promise<void>;
};

/** The archive in a folder, which is made where it is not there. */
export async function folderTarget(folder: string): Promise<CopyTarget> {
  const archive = await openArchive(folder);
  return {
    place: folder,
    tempFolder: archive.tempFolder,
    list: async function* () {
      for await (const { sha256, bytes } of listBlobs(folder)) yield { sha256, bytes, generation: 0 };
    },
    wanted: () => Promise.resolve(() => ({ generation: 0, known: true })),
    isWhole: async ({ sha256 }) => (await archive.verify(sha256)) === 'ok',
    holds: ({ sha256 }) => archive.has(sha256),
    keep: () => Promise.resolve(),
    bring: async (path, blob) => void (await archive.adopt(path, blob)),
  };
}

/**
 * The archive in a bucket. `isShared`: the ledger's index is about the source as well, and says when its files were brought in there;
 * elsewhere what is copied counts as brought in now.
 */
export async function bucketTarget(
  made: Omit<S3Archive, 'cacheBytes'>,
  { isShared }: { isShared: boolean },
): Promise<CopyTarget> {
  const { remote, store, index } = made;
  const local = await openArchive(remote.cache);
  const now = isShared ? () => 0 : made.now;
  const keyOf = ({ sha256, generation }: Pick<TargetFile, 'sha256' | 'generation'>) =>
    remote.prefix + objectKey(sha256, generation);
  return {
    place: store.place,
    tempFolder: local.tempFolder,
    list: async function* () {
      for await (const page of objectPages(store, remote.prefix)) yield* page;
    },
    wanted: async (sha256s) => {
      const [kept, gone] = [await index.known(sha256s), await index.givenUp(sha256s)];
      return (sha256) => {
        const one = kept.get(sha256);
        if (one !== undefined) return { generation: one.generation, known: true };
        return { generation: (gone.get(sha256) ?? -1) + 1, known: false };
      };
    },
    isWhole: (file) => isWhole(store, keyOf(file), file.sha256),
    holds: async (file) => (await store.size(keyOf(file))) === file.bytes,
    keep: async (blob) => void (await index.want(blob, now())),
    bring: (path, blob, damaged) => bringIn(path, blob, { ...made, now }, damaged),
  };
}
