import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import { partKey } from '../../../parts/part-key.ts';
import type { ColumnMap } from '../../checks/header.ts';
import type { IssuesLayout } from '../../issues/issue-log.ts';
import { BY_THEMSELVES, type PackedPatterns } from '../wasm/patterns-file.ts';
import type { ScanDialect } from '../../scan/text-view.ts';

/** What is read, and how. */
export type Table = { settings: ReadSettings; map: ColumnMap; dialect: ScanDialect };

/** What is unusual, whether rows begin with their line, and how issues are written. */
export type Variant = { patterns: PackedPatterns; numbered: boolean; issuesLayout: IssuesLayout };

/** Puts values where every kernel reads them; answers where. */
export type Put = (values: Uint8Array) => number;

const NONE = 0xffff_ffff;

/** The words of kernel/settings.ts, in its order, but for the rooms of a thread, which are the last of them. */
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
    columns: put(columnWords(put, settings, map, (key) => automatonOf(BY_THEMSELVES.includes(key) ? key : 'every'))),
    folding: put(foldingTable()),
    firstAutomaton: automatonOf('first'),
    everyAutomaton: automatonOf('every'),
    packing: put(packingTable()),
    asCsv: issuesLayout === 'csv' ? 1 : 0,
    nameCount: map.names.length,
  };
  return Object.values(words);
}

function separatorOf(text: string): number {
  return /^[\x21-\x7e]$/.test(text) ? text.charCodeAt(0) : NONE;
}

/** Puts each automaton that is asked for once. */
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

/** What kernel/part-key.ts folds bytes to, as `partKey` folds characters: left out, capital, or beyond ASCII. */
function foldingTable(): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    if (byte >= 0x80) return BEYOND_ASCII;
    const folded = partKey(String.fromCharCode(byte), '').replace('\t', '');
    return folded === '' ? 0 : folded.charCodeAt(0);
  });
}

const BEYOND_ASCII = 1;

/** Which of 8 bytes stay, for each mask of them. */
function packingTable(): Uint8Array {
  const table = new Uint8Array(256 * 8).fill(0xff);
  for (let mask = 0; mask < 256; mask += 1) {
    const stay = [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (mask >> bit) & 1);
    table.set(stay, mask * 8);
  }
  return table;
}
