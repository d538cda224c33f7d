import { partKey } from '../../parts/part-key.ts';
import { toCyrillic, toLatin } from '../checks/homoglyphs.ts';
import { readControls } from '../checks/clean-cell.ts';
import { encoderFor, GARBLED, MISREADINGS } from '../checks/mojibake.ts';
import { FORMULA_ERRORS } from '../../values/spreadsheet.ts';
import { columnNamesTable } from './column-names-table.ts';
import { placeholderTable } from './placeholder-table.ts';
import type { KernelTables } from '../fast/wasm/tables-file.ts';

/** The tables that kernels read, as `npm run build:kernel` makes them. */
export function kernelTables(): KernelTables {
  return {
    folding: foldingTable(),
    letterFolding: letterFoldingTable(),
    lookalikes: lookalikesTable(),
    packing: packingTable(),
    garbling: garblingTable(),
    printable: printableTable(),
    placeholders: placeholderTable(),
    columnNames: columnNamesTable(),
    formulaErrors: formulaErrorsTable(),
  };
}

/** How kernel/part-key.ts folds each byte, as `partKey` folds characters: dropped, upper case, or not ASCII. */
function foldingTable(): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    if (byte >= 0x80) return NOT_ASCII;
    const folded = partKey(String.fromCharCode(byte), '').replace('\t', '');
    return folded === '' ? 0 : folded.charCodeAt(0);
  });
}

const NOT_ASCII = 1;
const NOT_ASCII_FROM = 0x80;
const DROPPED = 1;
const MOST_LETTERS = 0x800;

/** The same for characters of two bytes in UTF-8; 0 where the key has more than two bytes, and for those of one byte. */
function letterFoldingTable(): Uint8Array {
  const table = new Uint16Array(MOST_LETTERS);
  const letters = Array.from({ length: MOST_LETTERS - NOT_ASCII_FROM }, (_, at) =>
    String.fromCharCode(NOT_ASCII_FROM + at),
  );
  // All at once: two thousand keys would take as long as a megabyte in the kernel.
  const folded = partKey(letters.join('|'), '').replace('\t', '').split('|');
  for (const [at, key] of folded.entries()) table[NOT_ASCII_FROM + at] = letterWord(key);
  return new Uint8Array(table.buffer);
}

function letterWord(folded: string): number {
  const bytes = Buffer.from(folded);
  if (bytes.length > 2) return 0;
  return bytes.length === 0 ? DROPPED : bytes[0]! | ((bytes[1] ?? 0) << 8);
}

/** How far behind U+0400 the double of each Latin letter is, or 0; then for U+0400 to U+047F the Latin double, or 0. */
function lookalikesTable(): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, at) =>
    at < 128
      ? (toCyrillic.get(String.fromCharCode(at))?.charCodeAt(0) ?? 0x400) - 0x400
      : (toLatin.get(String.fromCharCode(0x400 + at - 128))?.charCodeAt(0) ?? 0),
  );
}

/** Each message of a failed formula behind its length, and 0 behind the last one. */
function formulaErrorsTable(): Uint8Array {
  const texts = FORMULA_ERRORS.map((error) => Buffer.from(error));
  return Buffer.concat([...texts.flatMap((text) => [Buffer.of(text.length), text]), Buffer.of(0)]);
}

/** For each mask of 8 bytes, the positions of those that stay. */
function packingTable(): Uint8Array {
  const table = new Uint8Array(256 * 8).fill(0xff);
  for (let mask = 0; mask < 256; mask += 1) {
    const stay = [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (mask >> bit) & 1);
    table.set(stay, mask * 8);
  }
  return table;
}

/** The characters that take part in garbled texts, as kernel/garbled.ts has them. */
const GARBLED_RANGES = [
  [0x80, 0x500],
  [0x2000, 0x2600],
] as const;

/** For each of these characters the pairs that it begins and ends, a bit for each, and its byte in each charset; eight bytes. */
function garblingTable(): Uint8Array {
  const encoders = MISREADINGS.map(encoderFor);
  const pairs = GARBLED.flatMap((kind) => kind.pairs);
  const pairsWith = (part: 0 | 1, character: string) =>
    pairs.reduce((bits, pair, at) => bits | (new RegExp(`^${pair[part]}$`).test(character) ? 1 << at : 0), 0);
  const entries = GARBLED_RANGES.flatMap(([from, to]) =>
    Array.from({ length: to - from }, (_, at) => {
      const character = String.fromCharCode(from + at);
      const bytes = encoders.map((encoder) => encoder[from + at]!);
      return [pairsWith(0, character), pairsWith(1, character), ...bytes, 0, 0];
    }),
  );
  return Uint8Array.from(entries.flat());
}

/** For each control character from U+0080 on how many bytes the printable one has in UTF-8, or 0, then three for these bytes. */
function printableTable(): Uint8Array {
  const entries = Array.from({ length: 32 }, (_, at) => {
    const bytes = Buffer.from(readControls(String.fromCharCode(0x80 + at)) ?? '');
    return [bytes.length, ...bytes, 0, 0, 0].slice(0, 4);
  });
  return Uint8Array.from(entries.flat());
}
