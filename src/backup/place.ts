import type { Archive } from '../archive/archive.ts';

/** Where backups lie: files by their hashes, and short texts by their names. */
export type BackupPlace = {
  /** Where it is, for people. */
  where: string;
  /** Pieces of ledgers, and the files that they name. */
  files: Archive;
  /** Lets go of what reading a file has left on this machine. */
  letGo: (sha256: string) => Promise<void>;
  /** Removes a file that no backup names any more. */
  removeFile: (sha256: string) => Promise<void>;
  /** The texts whose names begin like this, in the order of their names. */
  texts: (beginning: string) => Promise<string[]>;
  /** A text; null when there is none. */
  readText: (name: string) => Promise<string | null>;
  /** Writes a text, all of it or nothing, in place of the one before. */
  writeText: (name: string, text: string) => Promise<void>;
  removeText: (name: string) => Promise<void>;
  close: () => Promise<void>;
};
