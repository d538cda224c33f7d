import { CFB, read as parse, set_cptable, type CellObject, type DenseWorkSheet, type ParsingOptions } from '@e965/xlsx';
import { OfferlineError } from '../../errors.ts';
import { refusal } from '../../io/refusal.ts';
import type { MergedCells } from '../merged-cells.ts';
import { XmlError } from '../package/xml/xml-error.ts';
import { parseFormat, PLAIN, type NumberFormat } from '../sheet/number-format.ts';
import { numberText } from '../sheet/number-text.ts';
import { RowBuilder } from '../sheet/row-builder.ts';
import type { SheetFindings } from '../sheet/sheet-findings.ts';
import type { TableLimits, TableRow } from '../table-file.ts';
import { decryptPackage } from './decrypt-package.ts';
import { decryptRecords } from './decrypt-records.ts';
import { encrypted, partOf, prepareRecords, referencesIn, type Records, type SheetRecords } from './records.ts';
import { isOther, readOther } from './read-other.ts';
import { readSharedStrings } from './shared-strings.ts';

/** A workbook to read: its bytes, its name for messages, and the code page that its texts are in, where that is known better. */
export type WorkbookBytes = {
  bytes: Buffer;
  name: string;
  codePage: number | null;
  limits: TableLimits;
  /** Bytes of cells that are read at once. */
  partBytes?: number;
};

/** A sheet whose rows have not been asked for yet. */
export type ReadSheet = {
  name: string;
  hidden: boolean;
  rows: () => Generator<TableRow[], void>;
  /** Cells that cover others below them. */
  merged: MergedCells[];
  /** What was met in the rows that were asked for. */
  findings: SheetFindings;
};

const MOST_SHEETS = 10_000;
const LONGEST_NAME = 255;
const LONGEST_FORMAT = 1000;
const OLE_START = 'd0cf11e0a1b11ae1';
/** Where the first record says what follows, and that it is a workbook. */
const [KIND_AT, WORKBOOK] = [6, 5];
const OPTIONS = { type: 'buffer', dense: true, cellText: false, cellNF: true, cellFormula: false } as const;

/** Reads an old Excel workbook (XLS), a binary one (XLSB), a dBase table (DBF) or SYLK: its sheets at once, the rows of each in parts when they are asked for. Throws `file-rejected`. */
export async function readWorkbook(input: WorkbookBytes): Promise<ReadSheet[]> {
  const { name, bytes, codePage } = input;
  try {
    if (isOther(bytes)) {
      const sheets = (await readOther(bytes, codePage)).map((sheet) =>
        readSheet(input, { ...sheet, parts: [() => sheet] }),
      );
      if (sheets.length > 0) return sheets;
      throw noSheet(name);
    }
    const stream = workbookStream(name, bytes);
    if (!decryptRecords(stream)) throw encrypted(name);
    const records = prepareRecords(name, stream, codePage, input.partBytes);
    const known = codePage ?? records.codePageOfFonts;
    const options = known === null ? OPTIONS : { ...OPTIONS, codepage: known };
    if (records.hasCodePage) set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
    const sheets = sheetsOf(input, records, { stream, options });
    if (sheets.length > 0) return sheets;
  } catch (error) {
    throw explained(name, error);
  }
  throw noSheet(name);
}

function noSheet(name: string): OfferlineError {
  const message = `${name} is a workbook without a sheet of cells. Ask for the price list again.`;
  return refusal('no-table', message, { file: name });
}

type Ole = { FullPaths: string[] };

/** The stream of a workbook in its OLE container; some programs write the stream alone. */
function workbookStream(name: string, bytes: Buffer): Buffer {
  if (bytes.toString('hex', 0, 8) !== OLE_START) return bytes;
  const ole = CFB.read(bytes, { type: 'buffer' }) as Ole;
  for (const path of ['/Workbook', '/Book']) {
    const content = (CFB.find(ole, path) as { content?: Uint8Array } | null)?.content;
    if (content !== undefined && content.length > 0) return Buffer.from(content);
  }
  const message = `${name} is an old Office file without a workbook. Ask for the price list as .xlsx or CSV.`;
  throw refusal('no-table', message, { file: name });
}

/** The workbook (XLSX) inside of one that is encrypted; null where it is none. Throws `file-rejected` where its password is not known. */
export function packageIn(name: string, bytes: Buffer): Buffer | null {
  if (bytes.toString('hex', 0, 8) !== OLE_START) return null;
  try {
    const content = streamOf(bytes, '/EncryptedPackage');
    if (content === null) return null;
    const decrypted = decryptPackage({ info: streamOf(bytes, '/EncryptionInfo') ?? Buffer.alloc(0), content });
    if (decrypted === null) throw encrypted(name);
    return decrypted;
  } catch (error) {
    throw explained(name, error);
  }
}

function streamOf(bytes: Buffer, path: string): Buffer | null {
  const found = CFB.find(CFB.read(bytes, { type: 'buffer' }) as Ole, path) as { content?: Uint8Array } | null;
  return found?.content === undefined ? null : Buffer.from(found.content);
}

type Source = { stream: Buffer; options: ParsingOptions };

/** Sheets with the parts of them that are read one after another: SheetJS takes much memory for each cell. */
function sheetsOf(input: WorkbookBytes, records: Records, { stream, options }: Source): ReadSheet[] {
  const strings = readSharedStrings(records.strings);
  const read = (part: Buffer) => readPart(part, { options, strings });
  if (stream.readUInt16LE(KIND_AT) !== WORKBOOK) {
    return [readSheet(input, { ...records.first, name: 'Sheet1', parts: [() => read(stream)] })];
  }
  return records.sheets.slice(0, MOST_SHEETS).map((sheet) => {
    const { SheetNames: names } = parse(partOf(stream, records, sheet, null), { ...options, bookSheets: true });
    const parts = sheet.cuts.slice(1).map((_end, part) => () => read(partOf(stream, records, sheet, part)));
    return readSheet(input, { ...sheet, name: names[0] ?? '', parts });
  });
}

/** Rows of cells, both with holes. */
type Cells = { lines: (CellObject | undefined)[][]; is1904: boolean };

function readPart(part: Buffer, { options, strings }: { options: ParsingOptions; strings: string[] }): Cells {
  const workbook = parse(part, options);
  const [name = ''] = workbook.SheetNames;
  const lines = (workbook.Sheets[name] as DenseWorkSheet | undefined)?.['!data'] ?? [];
  for (const { row, column, string } of referencesIn(part)) {
    const text = strings[string];
    if (text === undefined) throw new XmlError(`a cell refers to the string ${string}, which does not exist`);
    (lines[row] ??= [])[column] = { t: 's', v: text };
  }
  return { lines, is1904: workbook.Workbook?.WBProps?.date1904 === true };
}

type SheetParts = Pick<SheetRecords, 'hidden' | 'hiddenRows' | 'hiddenColumns' | 'merged'> & {
  name: string;
  parts: (() => Cells)[];
};

function readSheet(
  input: WorkbookBytes,
  { parts, hidden, hiddenRows, hiddenColumns, merged, ...sheet }: SheetParts,
): ReadSheet {
  const name = sheet.name.slice(0, LONGEST_NAME);
  const builder = new RowBuilder({ file: input.name, sheet: name }, input.limits);
  for (const [first, last] of hiddenColumns) builder.hideColumns(first + 1, last + 1);
  for (const { firstRow, lastRow, firstColumn: column } of merged) {
    builder.merged.add({ column, first: firstRow + 1, last: lastRow + 1 });
  }
  function* rows(): Generator<TableRow[], void> {
    try {
      for (const part of parts) yield* rowsOf(part(), hiddenRows, builder);
    } catch (error) {
      throw explained(input.name, error);
    }
  }
  return { name, hidden, rows, merged: builder.merged.cells, findings: builder.findings };
}

function* rowsOf({ lines, is1904 }: Cells, hiddenRows: Set<number>, builder: RowBuilder): Generator<TableRow[], void> {
  const formats = new Map<string, NumberFormat>();
  for (const at of Object.keys(lines).map(Number)) {
    builder.openRow(at + 1, hiddenRows.has(at));
    // Rows have holes, which forEach passes over.
    lines[at]!.forEach((cell, column) => {
      if (cell !== undefined) builder.put(column, cellText(cell, formats, is1904));
    });
    if (builder.closeRow()) yield builder.take();
  }
  yield builder.take();
}

const ERRORS: Record<number, string> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
  0x2b: '#GETTING_DATA',
};

/** A cell as a person sees it. */
function cellText({ t, v, z }: CellObject, formats: Map<string, NumberFormat>, is1904: boolean): string {
  if (typeof v === 'string') return v;
  if (t === 'e') return ERRORS[Number(v)] ?? '#ERROR!';
  if (typeof v === 'boolean') return v ? 'TRUE' : 'FALSE';
  if (typeof v !== 'number') return '';
  return numberText(String(v), formatOf(z, formats), is1904);
}

function formatOf(code: CellObject['z'], formats: Map<string, NumberFormat>): NumberFormat {
  if (typeof code !== 'string' || code.length > LONGEST_FORMAT) return PLAIN;
  const known = formats.get(code);
  if (known !== undefined) return known;
  const format = parseFormat(code);
  formats.set(code, format);
  return format;
}

/** What SheetJS stumbles over is damage of the workbook. */
function explained(name: string, error: unknown): OfferlineError {
  if (error instanceof OfferlineError) return error;
  const why = error instanceof XmlError ? `: ${error.message}` : '';
  const message = `${name} is a damaged workbook${why}. Open it in Excel, save it as .xlsx and send it again.`;
  return refusal('workbook-broken', message, { file: name, reason: String(error) });
}
