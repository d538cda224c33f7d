import type { Blob } from '../archive.ts';

/** What is known of one file: under which key it is, and when it was last brought in (epoch ms). */
export type Indexed = { generation: number; bytes: number; at: number };

/**
 * What an archive on a store of objects knows of its files, in the ledger: a store cannot say when a file was last brought in, nor
 * keep one machine from removing what another just found there. Each call is one transaction.
 */
export type ObjectIndex = {
  /**
   * Notes that a file is brought in now, before it is: from then on no removal of what is older takes it. Answers with the generation of its key: a
   * new one where the last one was given up.
   */
  want: (blob: Blob, at: number) => Promise<number>;
  /** Gives a file up, unless it was brought in after a time; answers with the generation to remove, null where there is nothing to remove. */
  giveUp: (sha256: string, notAfter: number, at: number) => Promise<number | null>;
  /** What is known of several files; those that were given up are left out. */
  known: (sha256s: string[]) => Promise<Map<string, Indexed>>;
  /** The generations that were given up of several files. */
  givenUp: (sha256s: string[]) => Promise<Map<string, number>>;
  /** Notes an object that was found in the store and of which nothing is known, as one that was brought in now. */
  found: (blob: Blob, generation: number, at: number) => Promise<void>;
  /** Forgets what was given up before a time. */
  forget: (before: number) => Promise<void>;
};
