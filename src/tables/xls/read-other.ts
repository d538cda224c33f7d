import {
  read as parse,
  set_cptable,
  type CellObject,
  type DenseWorkSheet,
  type WorkBook,
  type WorkSheet,
} from '@e965/xlsx';
import { XmlError } from '../package/xml/xml-error.ts';
import { isDbf, prepareDbf } from './dbf.ts';

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

/** True for what is neither an OLE container nor the stream of an old workbook: XLSB, DBF or SYLK. */
export function isOther(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 4);
  return start.startsWith('PK') || start.startsWith('ID;P') || isDbf(bytes);
}

/** Reads a binary workbook, a dBase table or a spreadsheet in SYLK as a whole. Throws what SheetJS throws. */
export async function readOther(bytes: Buffer, codePage: number | null): Promise<OtherSheet[]> {
  const isZip = bytes.toString('latin1', 0, 2) === 'PK';
  const isSylk = bytes.toString('latin1', 0, 4) === 'ID;P';
  const end = bytes.toString('latin1', Math.max(0, bytes.length - 100));
  if (isSylk && !/(?:^|[\r\n])E\s*$/u.test(end)) throw new XmlError('it ends before its last row');
  const memos = isZip || isSylk ? [] : prepareDbf(bytes, codePage !== null);
  if (!isZip) set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  const workbook = parse(bytes, codePage === null ? OPTIONS : { ...OPTIONS, codepage: codePage });
  if (isZip) refuseCutParts(workbook);
  const sheets = workbook.SheetNames.map((name, at) => sheetOf(workbook, name, at)).filter((sheet) => sheet !== null);
  // What they refer to was not sent.
  for (const { lines } of sheets) for (const line of lines.slice(1)) for (const place of memos) line[place] = undefined;
  return sheets;
}

const OPTIONS = {
  type: 'buffer',
  dense: true,
  cellText: false,
  cellNF: true,
  cellFormula: false,
  bookFiles: true,
} as const;

/** The record that ends a sheet of a binary workbook: its number in two bytes, and no content. */
const SHEET_END = Buffer.from([0x82, 0x01, 0x00]);

/** Throws for a sheet that ends before it says so; SheetJS reads it as far as it goes. */
function refuseCutParts(workbook: WorkBook): void {
  const { files = {} } = workbook as { files?: Record<string, { content?: Uint8Array }> };
  for (const [name, { content }] of Object.entries(files)) {
    if (!/(?:^|\/)worksheets\/[^/]*\.bin$/iu.test(name) || content === undefined) continue;
    if (!Buffer.from(content.subarray(-SHEET_END.length)).equals(SHEET_END))
      throw new XmlError('a sheet of it ends early');
  }
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
