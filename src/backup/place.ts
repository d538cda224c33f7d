import type { Archive } from '../archive/archive.ts';

/** Files of backups, by their hashes. */
export type BackupFiles = Pick<Archive, 'put' | 'file' | 'verify' | 'list'>;

/** Where backups lie: files by their hashes, and short texts by their names. */
export type BackupPlace = {
  /** Where it is, for people. */
  where: string;
  /** How a command names it, without keys. */
  address: string;
  /** Pieces of ledgers, and the files that they name. */
  files: BackupFiles;
  /**
   * Files that are put from now on may be lost in a power cut before they are settled. Answers with true where that holds for files of before, whose backup
   * did not come to its end.
   */
  begin: () => Promise<boolean>;
  /** Brings files to the disk itself: those that were put since `begin`, and these. Nothing that was put before is in doubt any more. */
  settle: (others: readonly string[]) => Promise<void>;
  /** Says that nothing is in doubt: what was put is settled, and part of a backup. */
  end: () => Promise<void>;
  /** Lets go of what reading a file has left on this machine. */
  letGo: (sha256: string) => Promise<void>;
  /** Removes a file that no backup names any more. */
  removeFile: (sha256: string) => Promise<void>;
  /** The texts whose names begin like this, in the order of their names. */
  texts: (beginning: string) => Promise<string[]>;
  /** A text; null when there is none. A bucket is asked no longer once `signal` is aborted. */
  readText: (name: string, signal?: AbortSignal) => Promise<string | null>;
  /** Writes a text, all of it or nothing, in place of the one before. */
  writeText: (name: string, text: string) => Promise<void>;
  removeText: (name: string) => Promise<void>;
  /** Fails with `archive` where the place has gone: files that are missing then say nothing of a backup. */
  assertThere: () => Promise<void>;
  close: () => Promise<void>;
};
