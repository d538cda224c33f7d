import type { BroughtColumn } from './brought-columns.ts';
import type { ByteRow } from './byte-row.ts';
import { cellText } from './row-keys.ts';
import { safeBytes, writtenIn, type CellDialect } from './written-cells.ts';

/** The first `length` of some bytes. */
export type Encoded = { bytes: Uint8Array; length: number };

/** Writes the cells that a row brings, each behind a delimiter. What is answered is used again for the next row. */
export function createEncoder(columns: BroughtColumn[], target: CellDialect, charset: string) {
  const safe = safeBytes(target, charset === 'utf-8');
  const delimiter = Buffer.from(target.delimiter);
  let bytes = Buffer.allocUnsafe(1024);
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (length + more));
    bytes.copy(larger, 0, 0, length);
    bytes = larger;
  };
  const addText = (text: string) => {
    reserve(3 * text.length);
    length += bytes.write(text, length);
  };
  const begin = () => {
    reserve(delimiter.length);
    for (let at = 0; at < delimiter.length; at += 1) bytes[length + at] = delimiter[at]!;
    length += delimiter.length;
  };
  return {
    ofBytes: (row: ByteRow): Encoded => {
      length = 0;
      for (const { place } of columns) {
        begin();
        if (place >= row.count) continue;
        const [from, to] = [row.places[2 * place]!, row.places[2 * place + 1]!];
        reserve(to - from);
        let at = from;
        while (at < to && safe[row.bytes[at]!] === 1) {
          bytes[length + at - from] = row.bytes[at]!;
          at += 1;
        }
        if (at === to) length += to - from;
        else addText(writtenIn(target, cellText(row, place, charset), 'blanks'));
      }
      return { bytes, length };
    },
    ofCells: (cells: readonly string[]): Encoded => {
      length = 0;
      for (const { place } of columns) {
        begin();
        addText(writtenIn(target, cells[place] ?? '', 'blanks'));
      }
      return { bytes, length };
    },
  };
}
