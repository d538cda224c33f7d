import { refusal } from '../../io/refusal.ts';

/** The first and last row and column of merged cells, from 0. */
type MergedRange = { firstRow: number; lastRow: number; firstColumn: number };

/** A sheet in the stream of a workbook. Rows and columns are numbered from 0. */
export type SheetRecords = {
  /** Where it begins. */
  at: number;
  /** The record that lists it. */
  listing: Buffer;
  hidden: boolean;
  hiddenRows: Set<number>;
  hiddenColumns: [first: number, last: number][];
  /** Cells that cover others: their first and last rows and columns. */
  merged: MergedRange[];
  /** Where its cells begin, and where a row begins in which they can be parted; then where they end. */
  cuts: number[];
};

/** What is known of a workbook before its cells are read. */
export type Records = {
  /** What begins the stream: the sheet where it is only one, else what stands before all sheets. */
  first: SheetRecords;
  /** In the order of the workbook, without charts and macros. */
  sheets: SheetRecords[];
  /** Dates, formats and code page of all sheets. */
  globals: Buffer[];
  /** The table of strings: its record, and those that continue it. */
  strings: Buffer[];
  /** Whether its texts are in a code page: those of Excel 97 and later are Unicode. */
  hasCodePage: boolean;
  /** The code page of its fonts, where it names none itself and they are for other letters than those of Western Europe. */
  codePageOfFonts: number | null;
};

/** What a walk through the records has met so far. */
type Walk = Records & {
  met: Map<number, SheetRecords>;
  sheet: SheetRecords;
  partBytes: number;
  highestRow: number;
  namesCodePage: boolean;
};

const BOF = 0x0809;
const [EOF, CONTINUE, SKIPPED] = [0x0a, 0x3c, 0xec];
const [BOUND_SHEET, CODE_PAGE, COLUMN_INFO, ROW, MERGED, FILE_PASS] = [0x85, 0x42, 0x7d, 0x0208, 0xe5, 0x2f];
/** The table of strings, a cell that refers to it, and what such cells become: SheetJS must not know of them. */
const [STRINGS, REFERENCE, OUR_REFERENCE] = [0xfc, 0xfd, 0xeb];
const FORMULAS = new Set([0x06, 0x0206, 0x0406]);
/** Records of cells; each begins with its row. The text that is a formula's result follows in a record of its own. */
const CELLS = new Set([REFERENCE, 0xbd, 0xd6, 0x0203, 0x0204, 0x0205, 0x027e, ...FORMULAS]);
const FORMULA_TEXT = 0x0207;
/** The code page, when time begins, formats. */
/** How a font says which letters it has, and the code pages of these. */
const [FONT, FONT_LETTERS_AT] = [0x31, 12];
const CODE_PAGES_OF_FONTS: Record<number, number> = {
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};
const GLOBALS = new Set([CODE_PAGE, 0x22, 0x041e, 0xe0]);
/** Drawings, comments, links, names and macros hold no offers. */
const KEPT = new Set([BOF, EOF, FORMULA_TEXT].concat([...CELLS], [...GLOBALS]));
/** Where the length of a formula stands in its record, and a length that says that there is none. */
const [FORMULA_LENGTH_AT, NO_FORMULA] = [20, 0xffff];
/** The head and the least that a formula's record has. */
const FORMULA_BYTES = 26;
const EXCEL_97 = 0x0600;
/** Bytes of cells that are read at once: they take some fifty times as much memory. */
const PART = 4 << 20;

/**
 * Walks the records of a workbook's stream, and marks in place all that are no cells, so that they are skipped: they are
 * where readers fail, and what they say is not needed. `codePage` replaces the one that the workbook claims; cells are parted into `partBytes`. Throws
 * `file-rejected` for a workbook that has a password, is cut off, or older than Excel 5.
 */
export function prepareRecords(name: string, stream: Buffer, codePage: number | null, partBytes = PART): Records {
  const walk = newWalk(versionOf(name, stream) < EXCEL_97, partBytes);
  let [depth, last, at] = [0, 0, 0];
  while (at + 4 <= stream.length) {
    const type = stream.readUInt16LE(at);
    const end = at + 4 + stream.readUInt16LE(at + 2);
    if (depth === 0 && type !== BOF) break;
    if (end > stream.length) throw damaged(name);
    if (type === FILE_PASS) throw encrypted(name);
    if (type === BOF && depth++ === 0) beginSheet(walk, { at, end });
    if (type === EOF && --depth === 0) walk.sheet.cuts.push(at);
    else if (depth === 1) readRecord(walk, { type, last, at, whole: stream.subarray(at, end) }, codePage);
    if (type !== CONTINUE) last = type;
    // What is deeper is a chart within a sheet, and its cells are none of the sheet.
    if (depth > 1 || !KEPT.has(last) || isStub(type, end - at)) stream.writeUInt16LE(SKIPPED, at);
    else if (type === REFERENCE) stream.writeUInt16LE(OUR_REFERENCE, at);
    at = end;
  }
  if (depth > 0) throw damaged(name);
  const sheets = walk.sheets.map(({ hidden, listing, ...listed }) => {
    return { ...(walk.met.get(listed.at) ?? listed), hidden, listing };
  });
  if (sheets.some((sheet) => sheet.cuts.length === 0)) throw damaged(name);
  const codePageOfFonts = walk.hasCodePage && !walk.namesCodePage ? walk.codePageOfFonts : null;
  return { ...walk, codePageOfFonts, first: walk.met.get(0) ?? walk.first, sheets };
}

/** SheetJS reads on for ever behind a formula that is shorter than its length. */
function isStub(type: number, bytes: number): boolean {
  return FORMULAS.has(type) && bytes < FORMULA_BYTES;
}

function newWalk(hasCodePage: boolean, partBytes: number): Walk {
  const first = emptySheet(0);
  const none = { sheets: [], globals: [], strings: [], met: new Map<number, SheetRecords>() };
  const unknown = { codePageOfFonts: null, namesCodePage: false };
  return { ...none, ...unknown, first, sheet: first, hasCodePage, partBytes, highestRow: -1 };
}

function beginSheet(walk: Walk, { at, end }: { at: number; end: number }): void {
  walk.sheet = { ...emptySheet(at), cuts: [end] };
  walk.met.set(at, walk.sheet);
  walk.highestRow = -1;
}

/** A record with its head; `last`: the one that it continues, if it does. */
type FoundRecord = { type: number; last: number; at: number; whole: Buffer };

function readRecord(walk: Walk, { type, last, at, whole }: FoundRecord, codePage: number | null): void {
  const record = whole.subarray(4);
  if (GLOBALS.has(type) && walk.sheet.at === 0) walk.globals.push(whole);
  if (type === BOUND_SHEET && record.length >= 6) {
    const [state = 0, kind] = record.subarray(4);
    const listed = { ...emptySheet(record.readUInt32LE(0)), hidden: (state & 3) > 0, listing: Buffer.from(whole) };
    if (kind === 0) walk.sheets.push(listed);
  } else if (type === STRINGS || (type === CONTINUE && last === STRINGS)) {
    walk.strings.push(record);
  } else if (type === FONT && record.length > FONT_LETTERS_AT) {
    walk.codePageOfFonts ??= CODE_PAGES_OF_FONTS[record.readUInt8(FONT_LETTERS_AT)] ?? null;
  } else if (type === CODE_PAGE && record.length >= 2) {
    walk.namesCodePage = true;
    if (codePage !== null && walk.hasCodePage) record.writeUInt16LE(codePage, 0);
  } else if (type === COLUMN_INFO && record.length >= 10) {
    const isHidden = (record.readUInt16LE(8) & 1) > 0;
    if (isHidden) walk.sheet.hiddenColumns.push([record.readUInt16LE(0), record.readUInt16LE(2)]);
  } else if (type === ROW && record.length >= 13) {
    if ((record.readUInt8(12) & 0x20) > 0) walk.sheet.hiddenRows.add(record.readUInt16LE(0));
  } else if (type === MERGED && record.length >= 2) {
    walk.sheet.merged.push(...mergedIn(record));
  } else if (CELLS.has(type) && record.length >= 2) {
    cutBefore(walk, record.readUInt16LE(0), at);
    // The result counts; the formula may be anything.
    if (FORMULAS.has(type) && whole.length >= FORMULA_BYTES) record.writeUInt16LE(NO_FORMULA, FORMULA_LENGTH_AT);
  }
}

/** Behind their count each range has eight bytes: first and last row, first and last column. */
function mergedIn(record: Buffer): MergedRange[] {
  const count = Math.min(record.readUInt16LE(0), Math.floor((record.length - 2) / 8));
  return Array.from({ length: count }, (_, at) => {
    const start = 2 + at * 8;
    const [firstRow, lastRow] = [record.readUInt16LE(start), record.readUInt16LE(start + 2)];
    return { firstRow, lastRow, firstColumn: record.readUInt16LE(start + 4) };
  });
}

/** Cells can be parted before a row that is below all others, as long as no later one is above it. */
function cutBefore(walk: Walk, row: number, at: number): void {
  const { cuts } = walk.sheet;
  if (row < walk.highestRow) cuts.length = 1;
  else if (row > walk.highestRow) {
    walk.highestRow = row;
    if (at - cuts.at(-1)! >= walk.partBytes) cuts.push(at);
  }
}

function emptySheet(at: number): SheetRecords {
  return {
    at,
    listing: Buffer.alloc(0),
    hidden: false,
    hiddenRows: new Set(),
    hiddenColumns: [],
    merged: [],
    cuts: [],
  };
}

/** A stream with one part of the cells of one sheet, or none of them, behind the formats of all sheets. */
export function partOf(
  stream: Buffer,
  { first, globals }: Records,
  { at, cuts, listing }: SheetRecords,
  part: number | null,
): Buffer {
  const cells = part === null ? [] : [stream.subarray(cuts[part], cuts[part + 1])];
  const head = [stream.subarray(0, first.cuts[0]), ...globals, listing, END];
  listing.writeUInt32LE(
    head.reduce((bytes, { length }) => bytes + length, 0),
    4,
  );
  return Buffer.concat([...head, stream.subarray(at, cuts[0]), ...cells, END]);
}

const END = Buffer.from([EOF, 0, 0, 0]);
const REFERENCE_BYTES = 10;

/** The cells of a part that refer to the table of strings: row and column from 0, and the number of the string. */
export function* referencesIn(part: Buffer): Generator<{ row: number; column: number; string: number }, void> {
  for (let at = 0; at + 4 <= part.length;) {
    const length = part.readUInt16LE(at + 2);
    if (part.readUInt16LE(at) === OUR_REFERENCE && length >= REFERENCE_BYTES) {
      yield { row: part.readUInt16LE(at + 4), column: part.readUInt16LE(at + 6), string: part.readUInt32LE(at + 10) };
    }
    at += 4 + length;
  }
}

/** The version of the records; 0 where the writer left it out. */
function versionOf(name: string, stream: Buffer): number {
  if (stream.length >= 8 && stream.readUInt16LE(0) === BOF) return stream.readUInt16LE(4);
  const isOld = stream.length >= 4 && [0x0009, 0x0209, 0x0409].includes(stream.readUInt16LE(0));
  if (!isOld) throw damaged(name);
  const message = `${name} is a workbook of Excel 4 or older. Save it as .xlsx and send it again.`;
  throw refusal('workbook-broken', message, { file: name });
}

function damaged(name: string) {
  const message = `${name} is a damaged or cut-off workbook. Open it in Excel, save it as .xlsx and send it again.`;
  return refusal('workbook-broken', message, { file: name });
}

/** The refusal of a workbook that cannot be read without its password. */
export function encrypted(name: string) {
  const message = `${name} is encrypted. Save the workbook without a password and send it again.`;
  return refusal('workbook-encrypted', message, { file: name });
}
