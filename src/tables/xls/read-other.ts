import {
  read as parse,
  set_cptable,
  type CellObject,
  type DenseWorkSheet,
  type WorkBook,
  type WorkSheet,
} from '@e965/xlsx';
import { XmlError } from '../package/xml/xml-error.ts';

/** A sheet as SheetJS has it, with what of it is hidden and merged. Rows and columns are numbered from 0. */
export type OtherSheet = {
  name: string;
  hidden: boolean;
  lines: (CellObject | undefined)[][];
  is1904: boolean;
  hiddenRows: Set<number>;
  hiddenColumns: [first: number, last: number][];
  merged: { firstRow: number; lastRow: number; firstColumn: number }[];
};

/** Where a dBase table names the charset of its texts; 0 where it does not. */
const CHARSET_AT = 29;
const UTF_8 = 65_001;

/** True for what is neither an OLE container nor the stream of an old workbook: XLSB, DBF or SYLK. */
export function isOther(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 4);
  return start.startsWith('PK') || start.startsWith('ID;P') || isDbf(bytes);
}

function isDbf(bytes: Buffer): boolean {
  // A container begins with 0xd0, a stream with 0x09.
  return (
    bytes.length > 32 && bytes[0] !== 0xd0 && bytes[0] !== 0x09 && !bytes.toString('latin1', 0, 2).startsWith('PK')
  );
}

/** Reads a binary workbook, a dBase table or a spreadsheet in SYLK as a whole. Throws what SheetJS throws. */
export async function readOther(bytes: Buffer, codePage: number | null): Promise<OtherSheet[]> {
  const isZip = bytes.toString('latin1', 0, 2) === 'PK';
  const isSylk = bytes.toString('latin1', 0, 4) === 'ID;P';
  const end = bytes.toString('latin1', Math.max(0, bytes.length - 100));
  if (isSylk && !/(?:^|[\r\n])E\s*$/u.test(end)) throw new XmlError(CUT);
  const memos = isZip || isSylk ? [] : prepareDbf(bytes);
  const known = codePage ?? (isZip ? null : codePageOf(bytes));
  if (!isZip) set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  const options = { type: 'buffer', dense: true, cellText: false, cellNF: true, cellFormula: false } as const;
  const workbook = parse(bytes, known === null ? options : { ...options, codepage: known });
  const sheets = workbook.SheetNames.map((name, at) => sheetOf(workbook, name, at)).filter((sheet) => sheet !== null);
  // What they refer to was not sent.
  for (const { lines } of sheets) for (const line of lines.slice(1)) for (const place of memos) line[place] = undefined;
  return sheets;
}

const CUT = 'it ends before its last row';
/** Where a dBase table says how many rows it has, how long its head and a row are, and what the type of a column is. */
const [COUNT_AT, HEAD_AT, ROW_AT, COLUMN_BYTES, TYPE_AT] = [4, 8, 10, 32, 11];
/** Kinds that SheetJS does not know by their numbers, as those that it does. */
const KINDS = new Map([4, 5, 0x43, 0x63, 0xcb, 0xe5, 0xfb].map((kind) => [kind, 3])).set(0x32, 0x30);

/** Makes a dBase table one that SheetJS reads; answers the places of columns whose texts are in a file beside it. Throws for one that is cut. */
function prepareDbf(bytes: Buffer): number[] {
  const head = bytes.readUInt16LE(HEAD_AT);
  if (head + bytes.readUInt32LE(COUNT_AT) * bytes.readUInt16LE(ROW_AT) > bytes.length) throw new XmlError(CUT);
  bytes[0] = KINDS.get(bytes[0]!) ?? bytes[0]!;
  const memos: number[] = [];
  for (let at = COLUMN_BYTES; at + COLUMN_BYTES <= head && bytes[at] !== 0x0d; at += COLUMN_BYTES) {
    if (!/[MGPW]/u.test(String.fromCharCode(bytes[at + TYPE_AT] ?? 0))) continue;
    memos.push(at / COLUMN_BYTES - 1);
    bytes.write('C', at + TYPE_AT, 'latin1');
  }
  return memos;
}

function sheetOf({ Sheets, Workbook }: WorkBook, name: string, at: number): OtherSheet | null {
  const sheet = Sheets[name] as DenseWorkSheet | undefined;
  if (sheet?.['!data'] === undefined) return null;
  // Its types know cells only.
  const shown = sheet as Pick<WorkSheet, '!rows' | '!cols' | '!merges'>;
  const hiddenRows = new Set(shown['!rows']?.flatMap((row, line) => (row?.hidden === true ? line : [])));
  const columns = shown['!cols']?.flatMap((column, place) => (column?.hidden === true ? place : []));
  return {
    name,
    hidden: (Workbook?.Sheets?.[at]?.Hidden ?? 0) > 0,
    lines: sheet['!data'],
    is1904: Workbook?.WBProps?.date1904 === true,
    hiddenRows,
    hiddenColumns: columns?.map((place) => [place, place]) ?? [],
    merged: (shown['!merges'] ?? []).map(({ s, e }) => ({ firstRow: s.r, lastRow: e.r, firstColumn: s.c })),
  };
}

/** The code page of texts that do not name theirs; null where they do, or are ASCII. */
function codePageOf(bytes: Buffer): number | null {
  const isSylk = bytes.toString('latin1', 0, 2) === 'ID';
  if (!isSylk && bytes[CHARSET_AT] !== 0) return null;
  const texts = isSylk ? bytes : bytes.subarray(bytes.readUInt16LE(8));
  const [all, dos, windows] = [/[\x80-\xff]/g, /[\x80-\xaf\xe0-\xef]{3}/g, /[\xc0-\xff]{3}/g];
  const sample = texts.toString('latin1', 0, SAMPLE_BYTES);
  const count = (pattern: RegExp) => sample.match(pattern)?.length ?? 0;
  if (count(all) === 0) return null;
  if (!texts.subarray(0, SAMPLE_BYTES).toString('utf8').slice(0, -4).includes('\uFFFD')) return UTF_8;
  // Most letters of CP866 are where windows-1251 has marks.
  const isDos = count(/[\x80-\xaf]/g) > count(all) / 2;
  if (isDos && count(dos) > 0) return CP866;
  return count(windows) > 0 ? WINDOWS_1251 : WINDOWS_1252;
}

const SAMPLE_BYTES = 1 << 20;
const [CP866, WINDOWS_1251, WINDOWS_1252] = [866, 1251, 1252];
