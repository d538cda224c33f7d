/** From which sizes on a file is read how; bytes. Tests make them small. */
export type Sizes = {
  /** A smaller file is read before kernels are loaded. */
  large: number;
  /** So much is read with care, to find the header and the width of the table; 31 times as much for so few rows. */
  head: number;
  headRows: number;
  /** What a kernel reads at a time, and how many more to find the end of the last line. */
  chunk: number;
  line: number;
  /** A thread takes longer to start than so much to be read. */
  thread: number;
  /** A larger table of parts is not kept in memory: the file is read twice, and parts are kept in a file meanwhile. */
  table: number;
};

/** A line may be so long; one that ends later, if at all, is read with care, a piece at a time. */
export function longestLine({ chunk, line }: Sizes): number {
  return chunk + line;
}

export const SIZES: Sizes = {
  large: 4 * 1024 * 1024,
  head: 8 * 1024,
  headRows: 60,
  chunk: 512 * 1024,
  line: 64 * 1024,
  thread: 8 * 1024 * 1024,
  table: 160 * 1024 * 1024,
};
