/*
 * What the kernel is told about a file: u32 words at the address given to `configure`, in this order. The same order is
 * written by src/validate/fast/kernel-io/kernel-settings.ts.
 */
export let delimiter: u32 = 0;
export let quote: u32 = 0;
/** 0: a quote inside quotes is not doubled but escaped, so every quoted cell is left to the slow path. */
export let doubling: u32 = 0;
export let leastCells: u32 = 0;
export let mostCells: u32 = 0;
/** How many cells the header has; 0 when there is none. */
export let width: u32 = 0;
/** Cells that a row must have so that every configured column is there. */
export let neededCells: u32 = 0;
export let columnCount: u32 = 0;
export let brandAt: u32 = 0;
export let oemAt: u32 = 0;
export let maxCell: u32 = 0;
export let maxRow: u32 = 0;
/** What stands between the tags of a cell, or NONE when only the slow path knows it. */
export let separator: u32 = 0;
export let maxTags: u32 = 0;
/** 1: rows begin with their line number. */
export let numbered: u32 = 0;
/** The column by whose name a repeated header is recognised, or NONE; address and length of that name. */
export let headerAt: u32 = 0;
export let headerPtr: u32 = 0;
export let headerLength: u32 = 0;
export let columns: u32 = 0;
/** 256 bytes: what a byte of a part key folds to, 0 when it is dropped, 1 when it is not ASCII. */
export let folding: u32 = 0;
/** A half word for each letter of two bytes: the one or two bytes that it folds to, 1 when it is dropped, 0 when unknown. */
export let letterFolding: u32 = 0;
/** 128 bytes: how far behind U+0400 the Cyrillic double of each Latin letter is, or 0; then 128 for U+0400 on: the Latin doubles, or 0. */
export let lookalikes: u32 = 0;
/** 1: letters of another alphabet in brands and article numbers are replaced. */
export let replacesLookalikes: u32 = 0;
/** The automaton for the first cell of a row that is not blank. */
export let firstAutomaton: u32 = 0;
/** The automaton of all columns but brand and number. */
export let everyAutomaton: u32 = 0;
/** 256 times 8 bytes: for each mask of 8 bytes, the positions of those that stay, then 0xff. */
export let packing: u32 = 0;
/** The messages of failed formulas: the length of each in a byte, its text; a length of 0 behind the last. */
export let formulaErrors: u32 = 0;
/** What is known of characters in texts that were read in a wrong charset (garbled.ts), and of control characters (invisible.ts). */
export let garbling: u32 = 0;
export let printable: u32 = 0;
/** 1: garbled texts are mended; control characters become printable ones. */
export let mendsGarbled: u32 = 0;
export let readsControls: u32 = 0;
/** 1: issues are written as CSV, else as JSON; how many cells of a row have a column of their own there. */
export let asCsv: u32 = 0;
export let nameCount: u32 = 0;
/** What is known of cells that stand for nothing (placeholders.ts), and the column of names, or NONE. */
export let placeholders: u32 = 0;
export let nameAt: u32 = 0;
/** 1: a backslash before a character stands for what databases mean by it. */
export let backslashes: u32 = 0;
/** 1: every row is cut and unwrapped before it is read: something is written around its values, or formulas have no quotes that the index knows. */
export let unwraps: u32 = 0;
/** What stands between the tags of the uploaded file, or NONE. */
export let uploadedSeparator: u32 = 0;
/** The address of the characters that may part several numbers of a cell, see `hasNumberMark`: such cells are for the slow path. 0: they are not looked for. */
export let numberMarks: u32 = 0;
/** The address of the letters with which names of columns begin and end (column-names.ts), and the length of the longest name in the header. */
export let columnNames: u32 = 0;
export let longestName: u32 = 0;
/** Which slashes may part numbers: 0 each, 1 those between blanks, doubled ones and those between long pieces, 2 the first two alone. */
export let slashes: u32 = 0;
/** 1: rows with a heading alone are passed over; 2: so are those with letters beyond ASCII, which is UTF-8. 0: they are for the slow path. */
export let loneHeadings: u32 = 0;
/** A bit for each length of 16 digits and more that numbers of this file have, which no spreadsheet has damaged. */
export let longNumbers: u32 = 0;
/** The hash of the Latin letters in the name of the column of numbers: a number of the same letters may be that name, which is none. */
export let numberName: u32 = 0;
/** The table of spellings (spellings.ts), or 0, and its number of slots less 1. */
export let spellings: u32 = 0;
export let spellingMask: u32 = 0;
/** The first leaf of the rules for rows (rules.ts) is named there, or 0 where there are none; a bit for each byte with which what is taken off numbers begins and ends, or 0. */
export let rules: u32 = 0;
export let strips: u32 = 0;
/** The column of tags that rules change, or NONE. */
export let tagsAt: u32 = 0;
/** The kernel's scratch memory, SCRATCH_BYTES long. */
export let scratch: u32 = 0;
/** A word for each kind of finding: its template, or 0 when such rows are for the slow path. */
export let templates: u32 = 0;
/** Buffers for the list of findings and for their texts, and the end of the latter. */
export let findings: u32 = 0;
export let findingTexts: u32 = 0;
export let findingsEnd: u32 = 0;
/** What rules did to rows, in words, the fields that they ask for, and the end of these. */
export let ruleCounts: u32 = 0;
export let ruleFields: u32 = 0;
export let ruleFieldsEnd: u32 = 0;

export const NONE: u32 = 0xffffffff;
export const MAX_CELLS: u32 = 2048;
export const MAX_COLUMNS: u32 = 64;
/** Longer brands and numbers, and longer cells that have to be repaired, are left to the slow path. */
export const MAX_KEY: u32 = 1024;
export const MAX_REPAIRED: u32 = 4096;

/** Loads the settings at `from`. */
export function readSettings(from: u32): void {
  delimiter = load<u32>(from);
  quote = load<u32>(from, 4);
  doubling = load<u32>(from, 8);
  leastCells = load<u32>(from, 12);
  mostCells = load<u32>(from, 16);
  width = load<u32>(from, 20);
  neededCells = load<u32>(from, 24);
  columnCount = load<u32>(from, 28);
  brandAt = load<u32>(from, 32);
  oemAt = load<u32>(from, 36);
  maxCell = load<u32>(from, 40);
  maxRow = load<u32>(from, 44);
  separator = load<u32>(from, 48);
  maxTags = load<u32>(from, 52);
  numbered = load<u32>(from, 56);
  headerAt = load<u32>(from, 60);
  headerPtr = load<u32>(from, 64);
  headerLength = load<u32>(from, 68);
  columns = load<u32>(from, 72);
  folding = load<u32>(from, 76);
  letterFolding = load<u32>(from, 80);
  lookalikes = load<u32>(from, 84);
  replacesLookalikes = load<u32>(from, 88);
  firstAutomaton = load<u32>(from, 92);
  everyAutomaton = load<u32>(from, 96);
  packing = load<u32>(from, 100);
  formulaErrors = load<u32>(from, 104);
  garbling = load<u32>(from, 108);
  printable = load<u32>(from, 112);
  mendsGarbled = load<u32>(from, 116);
  readsControls = load<u32>(from, 120);
  asCsv = load<u32>(from, 124);
  nameCount = load<u32>(from, 128);
  placeholders = load<u32>(from, 132);
  nameAt = load<u32>(from, 136);
  backslashes = load<u32>(from, 140);
  unwraps = load<u32>(from, 144);
  uploadedSeparator = load<u32>(from, 148);
  numberMarks = load<u32>(from, 152);
  columnNames = load<u32>(from, 156);
  longestName = load<u32>(from, 160);
  slashes = load<u32>(from, 164);
  loneHeadings = load<u32>(from, 168);
  longNumbers = load<u32>(from, 172);
  numberName = load<u32>(from, 176);
  spellings = load<u32>(from, 180);
  spellingMask = load<u32>(from, 184);
  rules = load<u32>(from, 188);
  strips = load<u32>(from, 192);
  tagsAt = load<u32>(from, 196);
  scratch = load<u32>(from, 200);
  templates = load<u32>(from, 204);
  findings = load<u32>(from, 208);
  findingTexts = load<u32>(from, 212);
  findingsEnd = load<u32>(from, 216);
  ruleCounts = load<u32>(from, 220);
  ruleFields = load<u32>(from, 224);
  ruleFieldsEnd = load<u32>(from, 228);
}

export function templateOf(kind: u32): u32 {
  return load<u32>(templates + (kind << 2));
}

/* Each column: seven words. */
const COLUMN: u32 = 28;
export function placeOf(column: u32): u32 {
  return load<u32>(columns + column * COLUMN);
}
/** Where the brand is; NONE when it is a default. */
export function brandPlace(): u32 {
  return brandAt == NONE ? NONE : placeOf(brandAt);
}
export function isRequired(column: u32): bool {
  return load<u32>(columns + column * COLUMN, 4) != 0;
}
export function isList(column: u32): bool {
  return load<u32>(columns + column * COLUMN, 8) != 0;
}
/** The automaton of the column's slow-path patterns. */
export function automatonOf(column: u32): u32 {
  return load<u32>(columns + column * COLUMN, 12);
}
export function fallbackOf(column: u32): u32 {
  return load<u32>(columns + column * COLUMN, 16);
}
export function fallbackLength(column: u32): u32 {
  return load<u32>(columns + column * COLUMN, 20);
}
/** The address of what is written around the values of the column (unwrap.ts), or 0. */
export function wrapOf(column: u32): u32 {
  return load<u32>(columns + column * COLUMN, 24);
}

/*
 * The scratch memory: caches of brands and of plain tags, the cells of the row (begin, end, first position in the index, quotes), its columns
 * (begin, end), the tags of a list with a bit for each, the part key, a bit for each byte that may begin a prefix match in a column, repaired
 * cells and lists, the other spelling of a brand or a number with letters of another alphabet, those letters, the other spelling of
 * the brand, the cells that were unwrapped, how often each kind was taken off in each column, texts without backslashes, and the folded number.
 */
export const BRANDS: u32 = 2048;
export const BRAND_BYTES: u32 = 64;
export const KNOWN_TAGS: u32 = 1024;
export const KNOWN_TAG_BYTES: u32 = 64;
const KNOWN_TAGS_AT: u32 = BRANDS * BRAND_BYTES;
const CELLS_AT: u32 = KNOWN_TAGS_AT + KNOWN_TAGS * KNOWN_TAG_BYTES;
const COLUMNS_AT: u32 = CELLS_AT + MAX_CELLS * 16;
const TAGS_AT: u32 = COLUMNS_AT + MAX_COLUMNS * 8;
const TAG_BITS_AT: u32 = TAGS_AT + 256 * 16;
const KEY_AT: u32 = TAG_BITS_AT + 64;
const PREFIX_BYTES_AT: u32 = KEY_AT + MAX_KEY * 2 + 64;
const REPAIRED_AT: u32 = PREFIX_BYTES_AT + MAX_COLUMNS * 32;

export function brandCache(): u32 {
  return scratch;
}
export function knownTags(): u32 {
  return scratch + KNOWN_TAGS_AT;
}
export function cellAt(cell: u32): u32 {
  return scratch + CELLS_AT + (cell << 4);
}
export function columnAt(column: u32): u32 {
  return scratch + COLUMNS_AT + (column << 3);
}
export function tagBuffer(): u32 {
  return scratch + TAGS_AT;
}
export function tagBits(): u32 {
  return scratch + TAG_BITS_AT;
}
export function keyBuffer(): u32 {
  return scratch + KEY_AT;
}
export function prefixBytesOf(column: u32): u32 {
  return scratch + PREFIX_BYTES_AT + (column << 5);
}
export function repairBuffer(column: u32): u32 {
  return scratch + REPAIRED_AT + column * 2 * (MAX_REPAIRED + 64);
}
export function listBuffer(column: u32): u32 {
  return repairBuffer(column) + MAX_REPAIRED + 64;
}
export function unmixedBuffer(): u32 {
  return repairBuffer(MAX_COLUMNS);
}
export function lettersBuffer(): u32 {
  return unmixedBuffer() + MAX_KEY * 2;
}
export function brandBuffer(): u32 {
  return lettersBuffer() + 256;
}
export const UNWRAPPED_BYTES: u32 = 32;
export const WRAP_KINDS: u32 = 9;
export function unwrappedAt(number: u32): u32 {
  return brandBuffer() + MAX_KEY * 4 + number * UNWRAPPED_BYTES;
}
/** How often each kind was taken off in each column since `open`: a word for each kind of the first column, then of the next. */
export function wrapCounts(): u32 {
  return unwrappedAt(MAX_COLUMNS);
}
export const PLAIN_TEXT_BYTES: u32 = 32 * 1024;
export function plainTexts(): u32 {
  return wrapCounts() + MAX_COLUMNS * WRAP_KINDS * 4;
}
/** Behind the longest text without backslashes, which is read and written beyond its end. */
export function numberBuffer(): u32 {
  return plainTexts() + PLAIN_TEXT_BYTES + 64;
}
