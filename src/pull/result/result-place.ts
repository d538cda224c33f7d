import type { Listed } from '../choose/choose.ts';

/** What a place says of a file. */
export type Facts = Omit<Listed, 'name' | 'shownAt'>;

/** A place that takes files of ours. Paths begin in it and have `/` between their parts. Each call may be repeated; errors are `pull-failed`. */
export type ResultPlace = {
  /** What is at a path; undefined where nothing is. */
  look: (path: string) => Promise<Facts | undefined>;
  /** The bytes of what is at a path, from a byte on. */
  read: (path: string, facts: Facts, from: number) => AsyncIterable<Uint8Array>;
  /** Makes a folder and those above it; one that is there is as good. */
  makeFolder: (path: string) => Promise<void>;
  /**
   * Puts a whole file at a path, where nothing is, or `over` the very file there; whoever looks sees it whole or not at all. False when
   * something else came there meanwhile, which stays.
   */
  place: (path: string, content: Buffer, over: Facts | undefined) => Promise<boolean>;
};
