import type { ByteLines } from '../archive/lines.ts';
import { hashKey, hashPart, type HashPair, type PartPlace } from '../parts/part-hash.ts';
import { partKey } from '../parts/part-key.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;

/** Hashes the part of the row that begins at `from`, and answers where the row ends, behind its line feed. */
export type PartReader = (bytes: Buffer, from: number, into: HashPair) => number;

/** Creates what reads the parts of kept rows, `<line>\t<cell>…`, whose cells have these keys. */
export function createPartReader(keys: string[]): PartReader {
  const locate = createLocator(keys);
  const place: PartPlace = { brand: 0, brandEnd: 0, oem: 0, oemEnd: 0 };
  return (bytes, from, into) => {
    const end = locate(bytes, from, place);
    if (!hashPart(bytes, place, into)) hashKey(keyAt(bytes, place), into);
    return end;
  };
}

function keyAt(bytes: Buffer, { brand, brandEnd, oem, oemEnd }: PartPlace): string {
  return partKey(bytes.toString('utf8', brand, brandEnd), bytes.toString('utf8', oem, oemEnd));
}

/** Finds brand and article number in a row, and where the row ends. A missing cell is empty. */
function createLocator(keys: string[]): (bytes: Buffer, from: number, place: PartPlace) => number {
  // The cells come after the line number.
  const [brandAt, oemAt] = ['brand', 'oem'].map((key) => keys.indexOf(key) + (keys.includes(key) ? 1 : 0)) as [
    number,
    number,
  ];
  const last = Math.max(brandAt, oemAt);
  return (bytes, from, place) => {
    place.brand = place.brandEnd = place.oem = place.oemEnd = from;
    let start = from;
    let cell = 0;
    for (let at = from; ; at += 1) {
      const byte = bytes[at]!;
      if (byte !== TAB && byte !== LINE_FEED) continue;
      if (cell === brandAt && cell > 0) [place.brand, place.brandEnd] = [start, at];
      if (cell === oemAt && cell > 0) [place.oem, place.oemEnd] = [start, at];
      if (byte === LINE_FEED) return at + 1;
      if (cell === last) return bytes.indexOf(LINE_FEED, at) + 1;
      cell += 1;
      start = at + 1;
    }
  };
}

/** Rows that were kept under other settings get the current columns in the current order; missing cells are empty. */
export function createOrderer(written: string[], keys: string[]): (lines: ByteLines) => ByteLines {
  if (written.join('\t') === keys.join('\t')) return (lines) => lines;
  const order = keys.map((key) => written.indexOf(key));
  return ({ bytes, from, to }) => {
    const rows = bytes.toString('utf8', from, to - 1).split('\n');
    const ordered = rows.map((row) => {
      const [number = '', ...cells] = row.split('\t');
      return `${[number, ...order.map((at) => cells[at] ?? '')].join('\t')}\n`;
    });
    const changed = Buffer.from(ordered.join(''));
    return { bytes: changed, from: 0, to: changed.length };
  };
}
