import { findingsTwin } from './twin-findings.ts';
import type { KeyTwin } from './twin-key.ts';

/** Something wrong with a row that kernels write themselves. */
type Fault = { kind: number; count: number; value: Uint8Array };

type Parts = {
  bytes: Uint8Array;
  view: DataView;
  key: KeyTwin;
  needsSlowPath: (automaton: number, from: number, to: number) => boolean;
};

/** A cell without its quotes, and whether the row ends behind it, and where. */
type Cell = { text: Uint8Array; quoted: boolean; doubled: boolean; next: number; last: boolean };

const [LF, CR, SPACE, TAB] = [10, 13, 32, 9];
/** The kinds of findings; those of empty columns follow. */
const [CELL_COUNT, TAGS, DUPLICATE, EMPTY] = [0, 1, 2, 3];
const MOST_COUNTED = 100;
const NONE = 0xffff_ffff;
const LONGEST_PART = 200;
const [MAX_CELLS, MAX_KEY, MAX_UNESCAPED] = [256, 1024, 4096];
/** The order of kernel/settings.ts. */
const WORDS =
  'delimiter quote doubling leastCells mostCells neededCells columnCount brandAt oemAt maxCell maxRow separator maxTags numbered headerAt headerPtr headerLength columns folding firstAutomaton everyAutomaton packing asCsv nameCount scratch templates findings findingTexts findingsEnd'.split(
    ' ',
  );

/** Parses rows as kernel/rows.ts does, with slices instead of addresses. */
export function rowsTwin({ bytes, view, key, needsSlowPath }: Parts) {
  const [rowAt, line, outAt, entryAt] = [{ value: 0 }, { value: 0 }, { value: 0 }, { value: 0 }];
  let settings: Record<string, number> = {};
  /** Behind the last byte that the index knows of, nothing can be told. */
  let known = 0;
  const findings = findingsTwin({ bytes, view, settings: () => settings });
  let fault: Fault | null = null;

  function cut(from: number): Cell | null {
    const { quote, delimiter, doubling } = settings;
    const quoted = bytes[from] === quote;
    if (quoted && doubling === 0) return null;
    let doubled = false;
    for (let at = quoted ? from + 1 : from; at <= known; at += 1) {
      if (quoted && bytes[at] === quote && bytes[at + 1] === quote) {
        doubled = true;
        at += 1;
        continue;
      }
      if (quoted && bytes[at] !== quote) {
        if (bytes[at] === LF || bytes[at] === CR) return null;
        continue;
      }
      const end = quoted ? at + 1 : at;
      const text = bytes.slice(quoted ? from + 1 : from, at);
      if (end > known) return null;
      if (bytes[end] === delimiter) return { text, quoted, doubled, next: end + 1, last: false };
      if (bytes[end] === LF) return { text, quoted, doubled, next: end + 1, last: true };
      const breaks = bytes[end] === CR && bytes[end + 1] === LF && end + 1 <= known;
      if (breaks) return { text, quoted, doubled, next: end + 2, last: true };
      if (quoted || bytes[end] === CR) return null;
    }
    return null;
  }

  function cutRow(from: number): { cells: Cell[]; next: number } | null {
    const cells: Cell[] = [];
    for (let at = from; cells.length < MAX_CELLS;) {
      const cell = cut(at);
      if (cell === null) return null;
      cells.push(cell);
      at = cell.next;
      if (cell.last) return at - from > settings['maxRow']! ? null : { cells, next: at };
    }
    return null;
  }

  /** The cells as they are uploaded, or null when the row is for the slow path. */
  function check(cells: Cell[]): Uint8Array[] | null {
    const { neededCells, columnCount } = settings;
    fault = null;
    if (cells.length < neededCells! || cells.length === 1) return null;
    const columns: Uint8Array[] = [];
    for (let column = 0; column < columnCount!; column += 1) {
      const text = checkColumn(cells, column);
      if (text === null) return null;
      columns.push(text);
    }
    const header = bytes.slice(settings['headerPtr'], settings['headerPtr']! + settings['headerLength']!);
    if (settings['headerAt'] !== NONE && Buffer.compare(columns[settings['headerAt']!]!, header) === 0) return null;
    return beginsWithSum(cells) || mayBeHeading(cells, columns) ? null : columns;
  }

  /** Whether the number is the only filled cell, or repeats the brand. */
  function mayBeHeading(cells: Cell[], columns: Uint8Array[]): boolean {
    const { brandAt, oemAt } = settings;
    const isDefault = brandAt === NONE || view.getUint32(settings['columns']! + brandAt! * 24, true) === NONE;
    if (isDefault) return filledOf(cells) < 2;
    return oemAt !== NONE && Buffer.compare(columns[brandAt!]!, columns[oemAt!]!) === 0;
  }

  function beginsWithSum(cells: Cell[]): boolean {
    const first = cells.map(({ text }) => trim(text)).find((text) => text.length > 0);
    return first !== undefined && isSuspicious(settings['firstAutomaton']!, first);
  }

  function isMiscut({ length }: Cell[]): boolean {
    return length < settings['leastCells']! || length > settings['mostCells']!;
  }

  /** How many of the cells are no blanks for certain. */
  function filledOf(cells: Cell[]): number {
    return cells.filter(({ text: [byte = 0] }) => (byte > SPACE && byte < 127) || (byte >= 0xc3 && byte < 0xe0)).length;
  }

  /** Whether the number of cells is all that is wrong, and was written. */
  function refuseCount(cells: Cell[], from: number): boolean {
    const { leastCells, mostCells } = settings;
    const last = cells.at(-1)!;
    if (cells.length === 1 || cells.length > MOST_COUNTED || beginsWithSum(cells)) return false;
    if (filledOf(cells) < 2 || (cells.length >= leastCells! && filledOf(cells.slice(mostCells)) === 0)) return false;
    const end = last.next - 1 - (bytes[last.next - 2] === CR ? 1 : 0) - (last.quoted ? 1 : 0);
    return findings.addFinding(CELL_COUNT, line.value, cells.length, bytes.slice(from, end), cells);
  }

  /** Parses a row that is bad for one plain reason; false when it is for the slow path. */
  function refuse(cells: Cell[], columns: Uint8Array[] | null, from: number, next: number): boolean {
    if (next - from > settings['maxRow']!) return false;
    if (isMiscut(cells)) return refuseCount(cells, from);
    if (columns === null || fault === null || foldedKey(columns) === null) return false;
    if (fault.kind >= EMPTY && filledOf(cells) < 2) return false;
    return findings.addFinding(fault.kind, line.value, fault.count, fault.value, cells);
  }

  function noteFault(kind: number, count: number, value: Uint8Array): boolean {
    if (fault !== null) return false;
    fault = { kind, count, value };
    return true;
  }

  function foldedKey(columns: Uint8Array[]): Buffer | null {
    const [brand, oem] = partOf(columns);
    if (oem!.length > 0 && !/\d/.test(Buffer.from(oem!).toString('latin1'))) return null;
    return brand!.length > MAX_KEY || oem!.length > MAX_KEY ? null : key.foldKey(brand!, oem!);
  }

  function hasDoubledPart(cells: Cell[]): boolean {
    const places = [settings['brandAt']!, settings['oemAt']!].map((at) =>
      view.getUint32(settings['columns']! + at * 24, true),
    );
    return places.some((place) => place !== NONE && cells[place]!.doubled);
  }

  function partOf(columns: Uint8Array[]): Uint8Array[] {
    const { brandAt, oemAt } = settings;
    return [brandAt!, oemAt!].map((at) => (at === NONE ? new Uint8Array() : columns[at]!));
  }

  function checkColumn(cells: Cell[], column: number): Uint8Array | null {
    const at = settings['columns']! + column * 24;
    const [place, required, list, automaton, fallback, length] = Array.from({ length: 6 }, (_, word) =>
      view.getUint32(at + word * 4, true),
    ) as [number, number, number, number, number, number];
    if (place === NONE) {
      const text = bytes.slice(fallback, fallback + length);
      return isSuspicious(automaton, text) ? null : text;
    }
    const { text: written, doubled } = cells[place]!;
    if (written.length > settings['maxCell']! || (doubled && written.length > MAX_UNESCAPED)) return null;
    const quote = String.fromCharCode(settings['quote']!);
    const plain = doubled
      ? Buffer.from(written)
          .toString('latin1')
          .replaceAll(quote + quote, quote)
      : null;
    const text = trim(plain === null ? written : Buffer.from(plain, 'latin1'));
    if (text.length === 0) return required === 0 || noteFault(EMPTY + column, 0, text) ? text : null;
    if (isSuspicious(automaton, text)) return null;
    const tags = list === 0 ? 1 : countTags(text);
    if (list !== 0 && tags > settings['maxTags']!) return !doubled && noteFault(TAGS, tags, written) ? text : null;
    return tags > 0 ? text : null;
  }

  /** The automaton needs the text in memory: its place behind all rooms is free. */
  function isSuspicious(automaton: number, text: Uint8Array): boolean {
    const buffers = bytes.length - text.length - 64;
    bytes.set(text, buffers);
    return needsSlowPath(automaton, buffers, buffers + text.length);
  }

  function countTags(text: Uint8Array): number {
    const { separator } = settings;
    if (separator === NONE) return 0;
    const tags = Buffer.from(text).toString('latin1').split(String.fromCharCode(separator!));
    const isPlain = tags.every((tag) => tag !== '' && !tag.startsWith(' ') && !tag.endsWith(' '));
    return isPlain && new Set(tags).size === tags.length ? tags.length : 0;
  }

  function keep(columns: Uint8Array[], from: number): boolean {
    const { numbered } = settings;
    const folded = foldedKey(columns);
    if (folded === null) return false;
    const buffers = bytes.length - folded.length - 64;
    bytes.set(folded, buffers);
    key.hashKey(buffers, buffers + folded.length);
    const words = [key.low.value, key.high.value, line.value, outAt.value, from];
    for (const [at, word] of words.entries()) view.setUint32(entryAt.value + at * 4, word, true);
    entryAt.value += words.length * 4;
    const start = numbered === 1 ? [Buffer.from(String(line.value))] : [];
    for (const [at, cell] of [...start, ...columns].entries()) {
      if (at > 0) bytes[outAt.value++] = TAB;
      bytes.set(cell, outAt.value);
      outAt.value += cell.length;
    }
    bytes[outAt.value++] = LF;
    return true;
  }

  return {
    rowAt,
    line,
    outAt,
    entryAt,
    settings: () => settings,
    configure: (from: number): void => {
      settings = Object.fromEntries(WORDS.map((word, at) => [word, view.getUint32(from + at * 4, true)]));
    },
    open: (index: number, count: number, out: number, entries: number): void => {
      known = count === 0 ? -1 : view.getUint32(index + (count - 1) * 4, true);
      outAt.value = out;
      entryAt.value = entries;
      findings.open();
    },
    findingAt: findings.findingAt,
    nameDuplicate: (entry: number, first: number): number => {
      const from = view.getUint32(entry + 16, true);
      const row = cutRow(from);
      if (row === null || hasDoubledPart(row.cells)) return 0;
      const columns = Array.from({ length: settings['columnCount']! }, (_, column) => checkColumn(row.cells, column)!);
      const [brand, oem] = partOf(columns) as [Uint8Array, Uint8Array];
      if (brand.length > LONGEST_PART || oem.length > LONGEST_PART) return 0;
      const value = Buffer.concat([brand, Buffer.from(' '), oem]);
      return findings.addFinding(DUPLICATE, view.getUint32(entry + 8, true), first, value, row.cells) ? 1 : 0;
    },
    resume: (out: number, entries: number): void => {
      outAt.value = out;
      entryAt.value = entries;
    },
    parseRows: (at: number, to: number, firstLine: number): number => {
      rowAt.value = at;
      line.value = firstLine;
      while (rowAt.value < to) {
        const row = cutRow(rowAt.value);
        const columns = row === null || isMiscut(row.cells) ? null : check(row.cells);
        const isKept = columns !== null && fault === null && keep(columns, rowAt.value);
        if (row === null || (!isKept && !refuse(row.cells, columns, rowAt.value, row.next))) return 1;
        rowAt.value = row.next;
        line.value += 1;
      }
      return 0;
    },
  };
}

function trim(text: Uint8Array): Uint8Array {
  let [from, to] = [0, text.length];
  while (from < to && text[from] === SPACE) from += 1;
  while (from < to && text[to - 1] === SPACE) to -= 1;
  return text.slice(from, to);
}
