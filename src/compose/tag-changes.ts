import { hashKey } from '../parts/part-hash.ts';
import { partKey } from '../parts/part-key.ts';
import { createNumbers } from '../parts/numbers.ts';

/** The column of tags, and what stands between its values. */
export type TagColumn = { key: string; separator: string };

/** Counts the tags that parts gained and lost; case, spaces and dashes make no other tag. */
type TagChanges = {
  /** Keeps the tags of the next older row. */
  keep: (cells: string[]) => void;
  /** Compares the older row of a number, from 0, with the newer one of the same part. */
  compare: (at: number, cells: string[]) => void;
  counts: { added: number; removed: number };
};

/** Tags are kept as hashes of 32 bits: one in four billion is taken for another one of its row. */
export function createTagChanges(columns: string[], column: TagColumn | null): TagChanges {
  const counts = { added: 0, removed: 0 };
  const place = column === null ? -1 : columns.indexOf(column.key);
  if (column === null || place < 0) return { keep: () => undefined, compare: () => undefined, counts };
  const hashes = createNumbers();
  const ends = createNumbers();
  const tagsOf = (cells: string[]) => tagHashes(cells[place] ?? '', column.separator);
  return {
    keep: (cells) => {
      for (const hash of tagsOf(cells)) hashes.add(hash);
      ends.add(hashes.length);
    },
    compare: (at, cells) => {
      const after = tagsOf(cells);
      let stayed = 0;
      const end = ends.at(at) ?? 0;
      const start = ends.at(at - 1) ?? 0;
      for (let index = start; index < end; index += 1) if (after.has(hashes.at(index) ?? 0)) stayed += 1;
      counts.added += after.size - stayed;
      counts.removed += end - start - stayed;
    },
    counts,
  };
}

const PAIR = { high: 0, low: 0 };

function tagHashes(cell: string, separator: string): Set<number> {
  const hashes = new Set<number>();
  if (cell === '') return hashes;
  for (const tag of cell.split(separator)) {
    const name = tag.trim();
    if (name === '') continue;
    hashKey(partKey(name, ''), PAIR);
    hashes.add(PAIR.low);
  }
  return hashes;
}
