import type { ReadSettings } from '../../config/feed-settings.ts';
import { partKey } from '../../part-key.ts';
import { attentionAutomaton, hasPatterns } from '../attention.ts';
import type { ColumnMap } from '../header.ts';
import { createMemory } from '../kernel/kernel.ts';
import type { ScanDialect } from '../text-view.ts';
import type { Sizes } from './sizes.ts';

/** What a kernel reads or writes behind the end of its buffers. */
const PADDING = 256;
const NONE = 0xffff_ffff;
const MOST_COLUMNS = 64;
const LONGEST_TEXT = 1024;
const SCRATCH_BYTES = 512 * 1024;
const SHARED_BYTES = 4 * 1024 * 1024;

/** Where things are in the shared memory. */
export type Layout = {
  memory: WebAssembly.Memory;
  /** 256 words, when bytes of one charset become UTF-8, else 0. */
  charset: number;
  /** What every row has beside the bytes of its line, at most. */
  rowOverhead: number;
  /** The kernel's settings but for the scratch room, for text that is UTF-8 and for text that is not. */
  settings: [number[], number[]];
  threads: ThreadRoom[];
  /** Where the table of parts begins. */
  table: number;
};

/** A thread's own buffers. */
export type ThreadRoom = {
  settings: number;
  scratch: number;
  raw: number;
  text: number;
  index: number;
  entries: number;
  duplicates: number;
  out: number;
  outBytes: number;
};

export type Numbering = { numbered: boolean };

type Table = { settings: ReadSettings; map: ColumnMap; dialect: ScanDialect };

/** Whether rows of such a file can be read by the kernel at all; what they hold is judged row by row. */
export function isPlainTable({ settings, map, dialect }: Table): boolean {
  const { delimiter, quote, newline } = dialect;
  const texts = [...settings.columns.map(({ fallback }) => fallback ?? ''), ...map.header];
  return (
    isAsciiCharacter(delimiter) &&
    isAsciiCharacter(quote) &&
    delimiter !== quote &&
    newline !== '\r' &&
    settings.columns.length <= MOST_COLUMNS &&
    texts.every((text) => Buffer.byteLength(text) <= LONGEST_TEXT)
  );
}

function isAsciiCharacter(text: string | null): boolean {
  return text !== null && /^[\t\x20-\x7e]$/.test(text);
}

/** Fills a memory with all that kernels need to know of a file. `charset`: the UTF-8 of each byte, or null for UTF-8. */
export function layOut(
  table: Table,
  charset: string[] | null,
  options: Numbering & { threads: number; sizes: Sizes },
): Layout {
  const { sizes, threads } = options;
  const roomBytes = threadBytes(sizes, charset !== null);
  const tableAt = SHARED_BYTES + roomBytes * threads;
  const memory = createMemory(tableAt);
  const put = putInto(memory);
  const settings = [false, true].map((strict) => describe(put, table, strict, options)) as [number[], number[]];
  const fallbacks = table.settings.columns.reduce((sum, { fallback }) => sum + Buffer.byteLength(fallback ?? ''), 0);
  return {
    memory,
    charset: charset === null ? 0 : put(charsetWords(charset)),
    rowOverhead: 16 + table.settings.columns.length + fallbacks,
    settings,
    threads: Array.from({ length: threads }, (_, at) => roomAt(SHARED_BYTES + roomBytes * at, sizes, charset !== null)),
    table: tableAt,
  };
}

/** A multiple of 64, so that words lie at multiples of their size. */
function textBytes(sizes: Sizes, transcoded: boolean): number {
  return Math.ceil(((sizes.stretch + sizes.line) * (transcoded ? 3 : 1)) / 64) * 64 + PADDING;
}

function threadBytes(sizes: Sizes, transcoded: boolean): number {
  const room = roomAt(0, sizes, transcoded);
  return room.out + room.outBytes + PADDING;
}

/** Every byte may be a delimiter, and every second one may end a row. */
function roomAt(start: number, sizes: Sizes, transcoded: boolean): ThreadRoom {
  const bytes = textBytes(sizes, transcoded);
  const scratch = start + 1024;
  const raw = scratch + SCRATCH_BYTES;
  const text = raw + textBytes(sizes, false);
  const index = text + (transcoded ? bytes : 0);
  const entries = index + bytes * 4;
  const duplicates = entries + bytes * 10;
  const out = duplicates + bytes * 4;
  return {
    settings: start,
    scratch,
    raw,
    text: transcoded ? text : raw,
    index,
    entries,
    duplicates,
    out,
    outBytes: bytes * 8,
  };
}

type Put = (values: Uint8Array) => number;

/** Puts values behind each other into the part of the memory that every thread reads; answers where. */
function putInto(memory: WebAssembly.Memory): Put {
  const bytes = new Uint8Array(memory.buffer);
  let free = PADDING;
  return (values) => {
    const at = free;
    free += values.length + PADDING - (values.length % PADDING);
    if (free > SHARED_BYTES) throw new Error('What kernels share of a file does not fit into their memory.');
    bytes.set(values, at);
    return at;
  };
}

/** The words of kernel/settings.ts, in its order. */
function describe(put: Put, { settings, map, dialect }: Table, strict: boolean, { numbered }: Numbering): number[] {
  const keys = settings.columns.map(({ key }) => key);
  const headerAt = map.places.findIndex((place) => place !== null && map.header[place] !== undefined);
  const header = Buffer.from(headerAt === -1 ? '' : map.header[map.places[headerAt]!]!.trim());
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
    columns: put(columnWords(put, settings, map, strict)),
    folding: put(foldingTable()),
    scratch: 0,
    firstAutomaton: put(attentionAutomaton('first', strict)),
  };
  return Object.values(words);
}

/** The words that a thread puts at its place for settings. */
export function settingsOf(words: number[], { scratch }: ThreadRoom): Uint32Array {
  return Uint32Array.from(words, (word, at) => (at === SCRATCH_WORD ? scratch : word));
}

const SCRATCH_WORD = 19;

function separatorOf(text: string): number {
  return /^[\x21-\x7e]$/.test(text) ? text.charCodeAt(0) : NONE;
}

function columnWords(put: Put, { columns }: ReadSettings, { places }: ColumnMap, strict: boolean): Uint8Array {
  const common = put(attentionAutomaton('every', strict));
  const words = columns.flatMap(({ key, required, list, fallback }, at) => {
    const text = Buffer.from(fallback ?? '');
    const automaton = hasPatterns(key) ? put(attentionAutomaton(key, strict)) : common;
    return [(places[at] ?? -1) >>> 0, required ? 1 : 0, list ? 1 : 0, automaton, put(text), text.length];
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

/** Three bytes of UTF-8 and their number, for each byte of a charset. */
function charsetWords(charset: string[]): Uint8Array {
  const words = new Uint8Array(1024);
  for (const [byte, character] of charset.entries()) {
    const utf8 = Buffer.from(character);
    words.set(utf8, byte * 4);
    words[byte * 4 + 3] = utf8.length;
  }
  return words;
}
