import { readPartition, type PartitionFile, type PartitionIndex } from './partitions.ts';
import { PAIR_WORDS } from './part-partitions.ts';

/** The duplicates of a file by ranges of lines. */
export type KnownDuplicates = { pairs: PartitionFile; indexes: PartitionIndex[]; linesPerPartition: number };

/** Duplicates of some lines in their order: the line, and where the part was first met. */
export type Pairs = { line: number; first: number }[];

/** Answers the duplicates between two lines, the second excluded; meant to be asked for line after line. */
export function createLookup({
  pairs,
  indexes,
  linesPerPartition,
}: KnownDuplicates): (from: number, to: number) => Pairs {
  let partition = -1;
  let sorted: Pairs = [];
  return (from, to) => {
    const found: Pairs = [];
    for (let at = Math.floor(from / linesPerPartition); at * linesPerPartition < to && at < pairs.partitions; at += 1) {
      if (at !== partition) sorted = sortedPairs(readPartition(pairs, indexes, at));
      partition = at;
      for (let pair = firstFrom(sorted, from); pair < sorted.length && sorted[pair]!.line < to; pair += 1) {
        found.push(sorted[pair]!);
      }
    }
    return found;
  };
}

function sortedPairs(words: Uint32Array): Pairs {
  const pairs = Array.from({ length: words.length / PAIR_WORDS }, (_, at) => ({
    line: words[at * PAIR_WORDS]!,
    first: words[at * PAIR_WORDS + 1]!,
  }));
  return pairs.sort((a, b) => a.line - b.line);
}

/** The number of the first pair whose line is not before this one. */
function firstFrom(pairs: Pairs, line: number): number {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pairs[middle]!.line < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
