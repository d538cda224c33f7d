import type { AnyFile } from '../../archive/kept-file.ts';
import { lineBatches } from '../../archive/lines.ts';
import { partKey } from '../../parts/part-key.ts';
import type { TracedRejection } from './write-rejections.ts';

/** A feed's rejected rows: a file of traced rejections, or null when there are none. */
export type RejectionsFile = { feed: string; file: AnyFile | null };

/** A dataset that was live, with what the service rejected of it then. */
export type EarlierDataset = { index: AnyFile; columns: string[]; rejections: RejectionsFile[] };

/**
 * Counts by feed the parts that were live from it in one of the earlier datasets and that the service rejects of it now. Only
 * feeds that an earlier dataset names are counted in it. Memory grows with the rejections. Runs in a thread.
 */
export async function countLostRows(input: {
  now: { columns: string[]; rejections: RejectionsFile[] };
  earlier: EarlierDataset[];
}): Promise<[feed: string, rows: number][]> {
  const rejected = await rejectedParts(input.now.rejections, input.now.columns);
  const lost = new Map([...rejected.keys()].map((feed) => [feed, new Set<string>()]));
  for (const { index, columns, rejections } of input.earlier) {
    const before = await rejectedParts(rejections, columns);
    const keyOf = partBy(columns);
    for await (const lines of lineBatches(index)) {
      for (const line of lines) {
        const [feed = '', , ...cells] = line.split('\t');
        const then = before.get(feed);
        const parts = rejected.get(feed);
        if (then === undefined || parts === undefined || parts.size === 0) continue;
        const key = keyOf(cells);
        if (parts.has(key) && !then.has(key)) lost.get(feed)?.add(key);
      }
    }
  }
  return [...lost].map(([feed, parts]) => [feed, parts.size]);
}

/** The parts of each feed whose rejection was traced to one row for certain. */
async function rejectedParts(files: RejectionsFile[], columns: string[]): Promise<Map<string, Set<string>>> {
  const parts = new Map<string, Set<string>>();
  const keyOf = partBy(columns);
  for (const { feed, file } of files) {
    const mine = new Set<string>();
    parts.set(feed, mine);
    if (file === null) continue;
    for await (const lines of lineBatches(file)) {
      for (const { match, cells } of lines.map((line) => JSON.parse(line) as TracedRejection)) {
        if (match === 'exact') mine.add(keyOf(cells));
      }
    }
  }
  return parts;
}

function partBy(columns: string[]): (cells: string[]) => string {
  const [brand, oem] = [columns.indexOf('brand'), columns.indexOf('oem')];
  return (cells) => partKey(cells[brand] ?? '', cells[oem] ?? '');
}
