import { readPartition, type PartitionFile, type PartitionIndex } from './partitions.ts';
import { PAIR_WORDS } from './part-partitions.ts';

/** The duplicates of a file, partitioned by ranges of lines. */
export type KnownDuplicates = { pairs: PartitionFile; indexes: PartitionIndex[]; linesPerPartition: number };

/** Duplicates in line order: the line, and the line where the part occurred first. */
export type Pairs = { line: number; first: number }[];

/** Finds the duplicates from one line to another, the second excluded; ranges should be asked for in ascending order. */
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

/** The index of the first pair at this line or after it. */
function firstFrom(pairs: Pairs, line: number): number {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pairs[middle]!.line < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
