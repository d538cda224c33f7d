import { byteLines } from '../../archive/lines.ts';
import { hashKey, hashPart, type HashPair } from '../../parts/part-hash.ts';
import { partKey } from '../../parts/part-key.ts';
import type { RowFile } from '../row-file.ts';

const [TAB, LF] = [0x09, 0x0a];
const decoder = new TextDecoder();

/** Hashes the part of each row of a file, without making texts of most; `visit` gets a pair that is used again. */
export async function eachPartHash(file: RowFile, visit: (hash: HashPair) => void): Promise<void> {
  const ahead = file.kind === 'rows' ? 1 : 2;
  const [brandAt, oemAt] = [file.columns.indexOf('brand') + ahead, file.columns.indexOf('oem') + ahead];
  const last = Math.max(brandAt, oemAt);
  const hash = { high: 0, low: 0 };
  const place = { brand: 0, brandEnd: 0, oem: 0, oemEnd: 0 };
  for await (const { bytes, from, to } of byteLines(file.path)) {
    for (let at = from; at < to;) {
      for (let cell = 0; cell <= last; cell++) {
        const start = at;
        while (bytes[at] !== TAB && bytes[at] !== LF) at++;
        if (cell === brandAt) [place.brand, place.brandEnd] = [start, at];
        if (cell === oemAt) [place.oem, place.oemEnd] = [start, at];
        if (bytes[at] === TAB) at++;
      }
      if (!hashPart(bytes, place, hash)) {
        const textOf = (start: number, end: number) => decoder.decode(bytes.subarray(start, end));
        hashKey(partKey(textOf(place.brand, place.brandEnd), textOf(place.oem, place.oemEnd)), hash);
      }
      visit(hash);
      at = bytes.indexOf(LF, at) + 1;
    }
  }
}
