import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import { partKey } from '../../../parts/part-key.ts';
import { toCyrillic, toLatin } from '../../checks/homoglyphs.ts';
import { FORMULA_ERRORS } from '../../checks/spreadsheet.ts';
import type { ColumnMap } from '../../checks/header.ts';
import type { IssuesLayout } from '../../issues/issue-line.ts';
import { OWN_PATTERNS, type PackedPatterns } from '../wasm/patterns-file.ts';
import type { ScanDialect } from '../../scan/text-view.ts';

/** A table and how it is read; issues name the charset. */
export type Table = { settings: ReadSettings; map: ColumnMap; dialect: ScanDialect; charset: string };

/** The slow-path patterns, whether rows begin with their line number, and how issues are written. */
export type Variant = { patterns: PackedPatterns; numbered: boolean; issuesLayout: IssuesLayout };

/** Puts values into the memory that every kernel reads; returns their address. */
export type Put = (values: Uint8Array) => number;

const NONE = 0xffff_ffff;

/** The words of kernel/settings.ts in its order, without the last ones, which are the addresses of a slot's buffers. */
export function kernelSettings(put: Put, table: Table, { patterns, numbered, issuesLayout }: Variant): number[] {
  const { settings, map, dialect } = table;
  const keys = settings.columns.map(({ key }) => key);
  const headerAt = map.places.findIndex((place) => place !== null && map.header[place] !== undefined);
  const header = Buffer.from(headerAt === -1 ? '' : map.header[map.places[headerAt]!]!.trim());
  const automatonOf = automataIn(put, patterns);
  const words = {
    delimiter: dialect.delimiter!.charCodeAt(0),
    quote: dialect.quote!.charCodeAt(0),
    doubling: dialect.escape === null || dialect.escape === dialect.quote ? 1 : 0,
    leastCells: map.leastCells,
    mostCells: map.mostCells,
    width: map.header.length,
    neededCells: Math.max(0, ...map.places.map((place) => (place ?? -1) + 1)),
    columnCount: keys.length,
    brandAt: keys.indexOf('brand') >>> 0,
    oemAt: keys.indexOf('oem') >>> 0,
    maxCell: settings.limits.cellLength,
    maxRow: settings.limits.rowLength,
    separator: separatorOf(settings.tagSeparator),
    maxTags: settings.maxTags,
    numbered: numbered ? 1 : 0,
    headerAt: headerAt >>> 0,
    headerPtr: put(header),
    headerLength: header.length,
    columns: put(columnWords(put, settings, map, (key) => automatonOf(OWN_PATTERNS.includes(key) ? key : 'every'))),
    folding: put(foldingTable()),
    letterFolding: put(letterFoldingTable()),
    lookalikes: put(lookalikesTable()),
    replacesLookalikes: settings.repair.includes('lookalikes') ? 1 : 0,
    firstAutomaton: automatonOf('first'),
    everyAutomaton: automatonOf('every'),
    packing: put(packingTable()),
    formulaErrors: put(formulaErrorsTable()),
    asCsv: issuesLayout === 'csv' ? 1 : 0,
    nameCount: map.names.length,
  };
  return Object.values(words);
}

function separatorOf(text: string): number {
  return /^[\x21-\x7e]$/.test(text) ? text.charCodeAt(0) : NONE;
}

/** Puts each automaton into memory once, when it is first asked for. */
function automataIn(put: Put, patterns: PackedPatterns): (where: string) => number {
  const addresses = new Map<string, number>();
  return (where) => {
    const address = addresses.get(where) ?? put(patterns[where]!);
    addresses.set(where, address);
    return address;
  };
}

function columnWords(
  put: Put,
  { columns }: ReadSettings,
  { places }: ColumnMap,
  automatonOf: (key: string) => number,
): Uint8Array {
  const words = columns.flatMap(({ key, required, list, fallback }, at) => {
    const text = Buffer.from(fallback ?? '');
    return [(places[at] ?? -1) >>> 0, required ? 1 : 0, list ? 1 : 0, automatonOf(key), put(text), text.length];
  });
  return new Uint8Array(Uint32Array.from(words).buffer);
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
