import type { OpenTables, TableInput, TableRow } from '../table-file.ts';
import type { CellContext } from './cells/cell-text.ts';
import { openPackage, type Package } from '../package/package.ts';
import { readSharedStrings } from './shared-strings.ts';
import { sheetNotes } from '../sheet/sheet-findings.ts';
import { SHEET_CODES, SheetReader } from './sheet-reader.ts';
import { readStyles } from './styles.ts';
import { readWorkbook, type Sheet, type Workbook } from './workbook.ts';
import { XmlError } from '../package/xml/xml-error.ts';
import { XmlScanner } from '../package/xml/scanner.ts';

/**
 * Opens an Excel workbook (XLSX, XLSM). Its sheets are streamed; its table of strings is read when the first sheet is, and
 * what of it does not fit into memory goes to a file in `input.folder`. Throws `file-rejected`.
 */
export const openXlsx: OpenTables = async (input) => {
  const parts = await openPackage(input);
  try {
    return openSheets(input, parts, await readWorkbook(input.name, parts));
  } catch (error) {
    parts.close();
    throw error;
  }
};

function openSheets(input: TableInput, parts: Package, workbook: Workbook) {
  const { sheets } = workbook;
  const readers = new Map<number, SheetReader>();
  let context: Promise<CellContext> | undefined;
  let areStylesDamaged = false;
  const damaged = () => void (areStylesDamaged = true);

  async function* rows(table: number): AsyncGenerator<TableRow[], void> {
    const sheet = sheets[table]!;
    context ??= readContext(input, parts, workbook, damaged);
    const reader = new SheetReader({ file: input.name, sheet: sheet.name }, input.limits, await context);
    readers.set(table, reader);
    yield* sheetRows(input, parts, sheet, reader);
  }

  return {
    tables: sheets.map(({ name, hidden }) => ({ name, hidden })),
    rows,
    found: null,
    isHeaded: false,
    columnNames: {},
    merged: (table: number) => readers.get(table)?.rows.merged.cells ?? [],
    notes: () => [
      ...(areStylesDamaged ? [DAMAGED_STYLES] : []),
      ...sheets.flatMap(({ name, hidden }, table) => {
        const reader = readers.get(table);
        return reader === undefined ? [] : sheetNotes(name, hidden, reader.rows.findings);
      }),
    ],
    async [Symbol.asyncDispose]() {
      parts.close();
      // Who waited for it was told what is wrong with it.
      const opened = await context?.catch(() => undefined);
      await opened?.strings?.close();
    },
  };
}

const DAMAGED_STYLES =
  'The styles of the workbook are damaged: numbers are read as they are stored, so that dates, and zeros before numbers, may be missing.';

async function readContext(
  input: TableInput,
  parts: Package,
  workbook: Workbook,
  onDamagedStyles: () => void,
): Promise<CellContext> {
  const none = { formats: [], areDamaged: false };
  const { formats, areDamaged } = workbook.styles === null ? none : await readStyles(parts, workbook.styles);
  if (areDamaged) onDamagedStyles();
  const strings = workbook.strings === null ? null : await readSharedStrings(input, parts, workbook.strings);
  return { strings, formats, is1904: workbook.is1904 };
}

/** The rows of a sheet in batches. What its text says is read no further than the batch that is asked for. */
async function* sheetRows(
  input: TableInput,
  parts: Package,
  sheet: Sheet,
  reader: SheetReader,
): AsyncGenerator<TableRow[], void> {
  const part = sheet.part ?? `of the sheet "${sheet.name}"`;
  const scanner = new XmlScanner(SHEET_CODES, reader);
  try {
    for await (const text of parts.read(part, input.limits.fileSize)) {
      scanner.write(text);
      while (!scanner.scan()) yield reader.rows.take();
      const batch = reader.rows.take();
      if (batch.length > 0) yield batch;
    }
    scanner.end();
  } catch (error) {
    throw error instanceof XmlError ? parts.explain(part, error) : error;
  }
}
