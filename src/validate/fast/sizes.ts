import { TABLE_SAMPLE } from '../checks/read-rows.ts';

/** The sizes, in bytes, that decide how a file is read. Tests make them small. */
export type Sizes = {
  /** Smaller files take the slow path: they are read before a kernel is loaded. */
  fastPath: number;
  /** Read row by row, to find the header and the width of the table, and on until there are `headRows` of its rows. */
  head: number;
  headRows: number;
  /** What a kernel reads at a time, and how much more to find the end of the last line. */
  chunk: number;
  line: number;
  /** Starting a thread takes longer than reading this much. */
  thread: number;
  /** A larger table of parts is not kept in memory: the file is read in two passes, with the parts in a temporary file. */
  table: number;
};

/** The longest line that the fast path reads; a file with a longer one takes the slow path. */
export function longestLine({ chunk, line }: Sizes): number {
  return chunk + line;
}

export const SIZES: Sizes = {
  fastPath: 512 * 1024,
  head: 8 * 1024,
  headRows: TABLE_SAMPLE,
  chunk: 512 * 1024,
  line: 64 * 1024,
  thread: 8 * 1024 * 1024,
  table: 160 * 1024 * 1024,
};
