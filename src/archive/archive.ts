import type { Damage, KeptFile } from './damage.ts';

/** A kept file: its SHA-256 in lower-case hex, and its size. */
export type Blob = { sha256: string; bytes: number };

/**
 * Keeps files under their SHA-256, unchanged, until they are removed. Every call may be repeated and may run at the same
 * time in several processes. When `put` or `adopt` has answered, the file survives a power cut. A full disk fails with
 * `disk-full` and leaves nothing half written under a hash.
 */
export type Archive = {
  /** Copies a file or a stream of bytes in. What is there already and whole is not written again; what is damaged is replaced. */
  put: (source: string | AsyncIterable<Buffer>) => Promise<Blob>;
  /**
   * Moves a finished file in: afterwards `path` is gone. Files made in a `tempFolder` are not copied. `known`: what was written, as
   * hashed on the way; without it the file is read again.
   */
  adopt: (path: string, known?: Blob) => Promise<Blob>;
  /** The file of a hash, to be verified while it is read. Does not read the disk. Fails with `not-found` when it is not a hash. */
  file: (sha256: string) => KeptFile;
  /** Whether a file is there; only `verify` shows whether it is whole. */
  has: (sha256: string) => Promise<boolean>;
  /** Removes a file; does nothing when it is not there. */
  remove: (sha256: string) => Promise<void>;
  /**
   * Removes a file unless it was brought in (again) since a time, epoch milliseconds; false when it was, or is not there. Bytes
   * that are brought in at the same moment are kept.
   */
  removeOlder: (sha256: string, since: number) => Promise<boolean>;
  /** Reads a file again: `damaged` when its bytes no longer give its hash, `unreadable` when the system gives none. */
  verify: (sha256: string) => Promise<'ok' | Damage>;
  /**
   * Takes a file that is not whole away from its name, so that nothing uses it and the right bytes can take its place; people find it
   * in the archive's folder `damaged`. Does nothing to a file that is whole or not there.
   */
  setAside: (sha256: string) => Promise<void>;
  /**
   * Brings a file in again that was set aside and is whole after all, and answers whether there was one: a disk or store may give wrong
   * bytes only for a while.
   */
  takeBack: (sha256: string) => Promise<boolean>;
  /** All kept files, in no order, with the time (epoch ms) at which each was last brought in. */
  list: () => AsyncIterable<Blob & { at: number }>;
  /** A new empty folder for work in progress. Remove it after use; what a killed process leaves is swept after a day. */
  tempFolder: () => Promise<string>;
};
