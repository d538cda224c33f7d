import { refusal } from '../../io/refusal.ts';
import { openPackage, type Package } from '../package/package.ts';
import { readSmallPart } from '../package/small-part.ts';
import { XmlError } from '../package/xml/xml-error.ts';
import { XmlScanner, type XmlHandler } from '../package/xml/scanner.ts';
import { sheetNotes } from '../sheet/sheet-findings.ts';
import type { OpenTables, TableInput, TableRow } from '../table-file.ts';
import { CODES } from './codes.ts';
import { flatPackage, isFlat } from './flat.ts';
import { Survey } from './survey.ts';
import { TableReader } from './table-reader.ts';

const [CONTENT, STYLES, MANIFEST] = ['content.xml', 'styles.xml', 'META-INF/manifest.xml'];

/**
 * Opens an OpenDocument spreadsheet (ODS, or FODS as one XML file). Its content is read once for the names of its sheets and the formats of its cells,
 * and again for the rows of a sheet, both times streamed. Throws `file-rejected`.
 */
export const openOds: OpenTables = async (input) => {
  const parts = isFlat(input) ? flatPackage(input, CONTENT) : await openPackage(input);
  try {
    await refuseEncrypted(input.name, parts);
    return openSheets(input, parts, await surveyOf(input, parts));
  } catch (error) {
    parts.close();
    throw error;
  }
};

function openSheets(input: TableInput, parts: Package, survey: Survey) {
  const { tables } = survey;
  const readers = new Map<number, TableReader>();

  async function* rows(table: number): AsyncGenerator<TableRow[], void> {
    const names = { file: input.name, sheet: tables[table]!.name ?? '' };
    const reader = new TableReader(names, input.limits, { survey, table });
    readers.set(table, reader);
    yield* rowsOf(input, parts, reader);
  }

  return {
    tables,
    rows,
    found: null,
    isHeaded: false,
    columnNames: {},
    merged: (table: number) => readers.get(table)?.rows.merged.cells ?? [],
    notes: () =>
      tables.flatMap(({ name, hidden }, table) => {
        const reader = readers.get(table);
        return reader === undefined ? [] : sheetNotes(name ?? '', hidden, reader.rows.findings);
      }),
    [Symbol.asyncDispose]: () => Promise.resolve(parts.close()),
  };
}

/** The rows of a table in batches. The content is read no further than the batch that is asked for, or the end of the table. */
async function* rowsOf(input: TableInput, parts: Package, reader: TableReader): AsyncGenerator<TableRow[], void> {
  const scanner = new XmlScanner(CODES, reader);
  try {
    for await (const text of parts.read(CONTENT, input.limits.fileSize)) {
      scanner.write(text);
      while (!scanner.scan()) {
        do yield reader.rows.take();
        while (reader.repeat());
        if (reader.isDone) return;
      }
      const batch = reader.rows.take();
      if (batch.length > 0) yield batch;
    }
  } catch (error) {
    throw error instanceof XmlError ? parts.explain(CONTENT, error) : error;
  }
}

async function surveyOf(input: TableInput, parts: Package): Promise<Survey> {
  const survey = new Survey();
  for (const part of parts.has(STYLES) ? [STYLES, CONTENT] : [CONTENT]) await readWhole(input, parts, part, survey);
  if (survey.tables.length > 0) return survey;
  const message = survey.isSpreadsheet
    ? `${input.name} is a spreadsheet without a sheet. Ask for the price list again.`
    : `${input.name} is an OpenDocument file, but no spreadsheet. Ask for the price list as .ods, .xlsx or CSV.`;
  throw refusal('no-table', message, { file: input.name });
}

async function readWhole(input: TableInput, parts: Package, part: string, handler: XmlHandler): Promise<void> {
  const scanner = new XmlScanner(CODES, handler);
  try {
    for await (const text of parts.read(part, input.limits.fileSize)) {
      scanner.write(text);
      scanner.scan();
    }
    scanner.end();
  } catch (error) {
    throw error instanceof XmlError ? parts.explain(part, error) : error;
  }
}

/** The list of parts says which of them are encrypted. */
async function refuseEncrypted(name: string, parts: Package): Promise<void> {
  if (!parts.has(MANIFEST)) return;
  let isEncrypted = false;
  await readSmallPart(parts, MANIFEST, (element) => {
    isEncrypted ||= element === 'encryption-data';
  });
  if (!isEncrypted) return;
  const message = `${name} is encrypted. Save the workbook without a password and send it again.`;
  throw refusal('workbook-encrypted', message, { file: name });
}
