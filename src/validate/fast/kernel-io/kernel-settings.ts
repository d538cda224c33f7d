import { foldExactName } from '../../../config/schema/match-names.ts';
import { tellingCharacter } from '../../../parts/several-numbers.ts';
import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import { leadOf } from '../../../columns/unwrap.ts';
import type { ColumnWrap, ValueHabits, Wraps } from '../../../model.ts';
import { valueRules } from '../../checks/check-value.ts';
import type { ColumnMap } from '../../header/header.ts';
import { NARROW } from '../../checks/lone-cell.ts';
import { withoutPlaceholders } from '../../patterns/placeholder-table.ts';
import type { IssuesLayout } from '../../issues/issue-line.ts';
import { lettersHash } from '../../patterns/column-names-table.ts';
import { OWN_PATTERNS, type PackedPatterns } from '../wasm/patterns-file.ts';
import { readTables } from '../wasm/tables-file.ts';
import type { PlacedRules } from './rule-program.ts';
import type { PlacedSpellings } from './spelling-slots.ts';
import type { ScanDialect } from '../../scan/text-view.ts';

/** A table and how it is read; issues name the charset. */
export type Table = {
  settings: ReadSettings;
  map: ColumnMap;
  habits: ValueHabits | null;
  wraps: Wraps;
  dialect: ScanDialect;
  charset: string;
};

/**
 * The slow-path patterns, whether rows begin with their line number, how issues are written, whether the text is certainly UTF-8, and where spellings and
 * rules are.
 */
export type Variant = {
  patterns: PackedPatterns;
  numbered: boolean;
  issuesLayout: IssuesLayout;
  isUtf8: boolean;
  spellings: PlacedSpellings;
  rules: PlacedRules;
};

/** Puts values into the memory that every kernel reads; returns their address. */
export type Put = (values: Uint8Array) => number;

const NONE = 0xffff_ffff;

/** The words of kernel/settings.ts in its order, without the last ones, which are the addresses of a slot's buffers. */
export function kernelSettings(
  put: Put,
  table: Table,
  { patterns, numbered, issuesLayout, isUtf8, spellings, rules }: Variant,
): number[] {
  const { settings, map, wraps, dialect } = table;
  const keys = settings.columns.map(({ key }) => key);
  const columnOf = (key: string) => settings.columns.findIndex((column) => column.key === key && !column.list);
  const headerAt = map.places.findIndex((place) => place !== null && map.header[place] !== undefined);
  const header = Buffer.from(headerAt === -1 ? '' : map.header[map.places[headerAt]!]!.trim());
  const automatonOf = automataIn(put, patterns);
  const tables = readTables();
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
    separator: separatorOf(settings.tagMark ?? settings.tagSeparator),
    maxTags: settings.maxTags,
    numbered: numbered ? 1 : 0,
    headerAt: headerAt >>> 0,
    headerPtr: put(header),
    headerLength: header.length,
    columns: put(
      columnWords(put, { settings, map, wraps }, (key) => automatonOf(OWN_PATTERNS.includes(key) ? key : 'every')),
    ),
    folding: put(tables.folding),
    letterFolding: put(tables.letterFolding),
    lookalikes: put(tables.lookalikes),
    replacesLookalikes: settings.repair.includes('lookalikes') ? 1 : 0,
    firstAutomaton: automatonOf('first'),
    everyAutomaton: automatonOf('every'),
    packing: put(tables.packing),
    formulaErrors: put(tables.formulaErrors),
    garbling: put(tables.garbling),
    printable: put(tables.printable),
    mendsGarbled: settings.repair.includes('mojibake') ? 1 : 0,
    readsControls: settings.repair.includes('control-characters') ? 1 : 0,
    asCsv: issuesLayout === 'csv' ? 1 : 0,
    nameCount: map.names.length,
    placeholders: put(placeholdersOf(tables.placeholders, table)),
    nameAt: columnOf('name') >>> 0,
    backslashes: wraps.backslashes ? 1 : 0,
    unwraps: wraps.backslashes || wraps.columns.length > 0 || dialect.quote !== '"' ? 1 : 0,
    uploadedSeparator: separatorOf(settings.tagSeparator),
    numberMarks: numberMarkCharacters(settings).length === 0 ? 0 : put(numberMarksOf(settings)),
    columnNames: put(tables.columnNames),
    longestName: Math.max(...map.header.map((name) => foldExactName(name).length), 0),
    slashes: slashesIn(numberMarks(settings)),
    loneHeadings: mayPassOverHeadings(table) ? (isUtf8 ? 2 : 1) : 0,
    longNumbers: longNumbersOf(table.habits),
    numberName: lettersHash(map.header[map.places[keys.indexOf('oem')] ?? -1] ?? '') >>> 0,
    spellings: spellings.address,
    spellingMask: spellings.mask,
    rules: isUtf8 ? rules.program : rules.openProgram,
    strips: rules.strips,
    tagsAt: settings.columns.findIndex(({ key, list }) => list && key === 'tags') >>> 0,
  };
  return Object.values(words);
}

/**
 * Whether a lone text can be nothing but a heading: it lacks a number that it must have, stands in a table that is wide enough, does not name
 * the brand of the rows below it, and cannot be the header again.
 */
function mayPassOverHeadings({ settings, map, wraps }: Table): boolean {
  const at = settings.columns.findIndex(({ key }) => key === 'oem');
  const place = map.places[at] ?? null;
  return (
    place !== null &&
    settings.columns[at]!.required &&
    map.leastCells > NARROW &&
    !map.brandFromHeadings &&
    !wraps.backslashes &&
    wraps.columns.length === 0 &&
    map.header[place]?.trim() !== ''
  );
}

/** Fewer digits are never damaged, and with so many more the slow path decides. */
const LEAST_DIGITS = 16;
const MOST_DIGITS = LEAST_DIGITS + 31;

/** The lengths of numbers of digits alone that a spreadsheet cannot have damaged, as kernel/settings.ts has them. */
function longNumbersOf(habits: ValueHabits | null): number {
  const lengths = (habits?.shapes ?? []).map((shape) => Number(/^<(\d+)>$/.exec(shape)?.[1] ?? 0));
  const known = lengths.filter((length) => length >= LEAST_DIGITS && length <= MOST_DIGITS);
  return known.reduce((bits, length) => bits | (1 << (length - LEAST_DIGITS)), 0) >>> 0;
}

function placeholdersOf(all: Uint8Array, { settings, habits, map }: Table): Uint8Array {
  const { kept, brands } = valueRules(settings, habits, map);
  return brands.size === 0 ? all : withoutPlaceholders(all, { kept, brands });
}

/** Marks with a slash that the kernel knows beside the slash alone. */
const SPACED_SLASHES = new Set([' / ', ' // ']);

/** Which slashes may part numbers, as kernel/settings.ts has it. */
function slashesIn(marks: string[]): number {
  const others = marks.filter((mark) => characterOf(mark) === '/' && !SPACED_SLASHES.has(mark));
  return others.length === 0 ? 2 : others.every((mark) => mark === '/') ? 1 : 0;
}

/** What may stand between several numbers of a cell. */
function numberMarks({ numbers, watched }: ReadSettings): string[] {
  if (numbers === null) return watched?.marks ?? [];
  return numbers.take === 'whole' ? [] : numbers.separators;
}

/** The characters that send a cell of numbers to the slow path. */
export function numberMarkCharacters(settings: ReadSettings): string[] {
  return [...new Set(numberMarks(settings).map(characterOf))];
}

/** The character by which cells are found that may have a mark. */
function characterOf(mark: string): string {
  return tellingCharacter(mark) ?? mark[0]!;
}

/**
 * Which characters are marks, as a vector looks them up: for each lower half of a byte the upper halves that it has in a mark, a bit for each,
 * then the bit of each upper half.
 */
function numberMarksOf(settings: ReadSettings): Uint8Array {
  const table = new Uint8Array(32);
  for (const mark of numberMarkCharacters(settings)) {
    const code = mark.charCodeAt(0);
    table[code & 15]! |= 1 << (code >> 4);
  }
  for (let upper = 0; upper < 8; upper += 1) table[16 + upper] = 1 << upper;
  return table;
}

function separatorOf(text: string): number {
  return /^[\x20-\x7e]$/.test(text) ? text.charCodeAt(0) : NONE;
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
  { settings: { columns }, map: { places }, wraps }: Pick<Table, 'settings' | 'map' | 'wraps'>,
  automatonOf: (key: string) => number,
): Uint8Array {
  const words = columns.flatMap(({ key, required, list, fallback }, at) => {
    const place = places[at] ?? null;
    const text = Buffer.from(fallback ?? '');
    const wrap = wraps.columns.find(({ position }) => position - 1 === place);
    return [
      (place ?? -1) >>> 0,
      required ? 1 : 0,
      list ? 1 : 0,
      automatonOf(key),
      put(text),
      text.length,
      wrap === undefined ? 0 : put(wrapBytes(wrap)),
    ];
  });
  return new Uint8Array(Uint32Array.from(words).buffer);
}

/** What is written around the values of a column, as kernel/unwrap.ts reads it. */
function wrapBytes(wrap: ColumnWrap): Uint8Array {
  const { pair, decimals } = wrap;
  const texts = [leadOf(wrap) ?? '', pair?.[0] ?? '', pair?.[1] ?? '', decimals ?? ''].map((text) => Buffer.from(text));
  const lengths = new Uint8Array(Uint32Array.from(texts.map(({ length }) => length)).buffer);
  const padded = texts.map((text) => Buffer.concat([text, Buffer.alloc(WRAP_TEXT_BYTES - text.length)]));
  return Buffer.concat([lengths, ...padded]);
}

const WRAP_TEXT_BYTES = 8;
