import { createWriteStream, type WriteStream } from 'node:fs';
import { partKey } from '../../src/parts/part-key.ts';

/** The checks of `offerline check` as somebody would write them on top of a CSV library. */
export type Checks = {
  take: (cells: string[]) => void;
  /** Answers the counts once everything is written. */
  end: () => Promise<{ read: number; accepted: number; duplicates: number; rejected: number }>;
  out: WriteStream;
};

const WIDTH = 6;
const MAX_TAGS = 20;

export function createChecks(output: string): Checks {
  const out = createWriteStream(output, { highWaterMark: 1 << 20 });
  const parts = new Set<string>();
  const counts = { read: 0, accepted: 0, duplicates: 0, rejected: 0 };
  let text = '';
  return {
    out,
    take: (cells) => {
      counts.read += 1;
      const [brand = '', oem = '', name = '', , , tags = ''] = cells.map((cell) => cell.trim());
      const list = [...new Set(tags.split(',').map((tag) => tag.trim()))];
      if (cells.length !== WIDTH || brand === '' || oem === '' || list.length > MAX_TAGS) {
        counts.rejected += 1;
        return;
      }
      const key = partKey(brand, oem);
      if (parts.has(key)) {
        counts.duplicates += 1;
        return;
      }
      parts.add(key);
      counts.accepted += 1;
      text += `${brand}\t${oem}\t${name}\t${list.join(',')}\n`;
      if (text.length < 1 << 16) return;
      out.write(text);
      text = '';
    },
    end: async () => {
      await new Promise<void>((resolve) => {
        out.end(text, resolve);
      });
      return counts;
    },
  };
}
