import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableFile, TableInput, TableLimits, TableRow } from '../../../src/tables/table-file.ts';
import { openXlsx } from '../../../src/tables/xlsx/open-xlsx.ts';
import { rawZip, type RawEntry } from '../../support/raw-zip.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

export const LIMITS: TableLimits = { fileSize: 100e6, cellLength: 10_000, rowLength: 100_000 };

/** What a workbook of the tests is made of; parts that are given replace what is made, or are added. */
type Made = {
  /** Content of `<sheetData>`, or a whole document. */
  sheets?: string[];
  /** Content of `<sst>`. */
  strings?: string;
  /** Format codes; cell style 0 is General, style n has the nth code. A number is the id of a built-in format. */
  formats?: (string | number)[];
  parts?: Record<string, string | Buffer | null>;
};

/** The parts of a small workbook as Excel would write them. */
export function workbookParts({
  sheets = [''],
  strings,
  formats = [],
  parts = {},
}: Made): Map<string, string | Buffer> {
  const made = new Map<string, string | Buffer>([
    ['_rels/.rels', relationships({ rId1: ['officeDocument', 'xl/workbook.xml'] })],
    [
      'xl/workbook.xml',
      workbookXml(
        sheets.map((_sheet, at) => `<sheet name="List${at + 1}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join(''),
      ),
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationships({
        ...Object.fromEntries(
          sheets.map((_sheet, at) => [`rId${at + 1}`, ['worksheet', `worksheets/sheet${at + 1}.xml`] as const]),
        ),
        rId90: ['sharedStrings', 'sharedStrings.xml'],
        rId91: ['styles', 'styles.xml'],
      }),
    ],
    ['xl/styles.xml', stylesXml(formats)],
  ]);
  for (const [at, sheet] of sheets.entries()) made.set(`xl/worksheets/sheet${at + 1}.xml`, sheetXml(sheet));
  if (strings !== undefined) made.set('xl/sharedStrings.xml', `<sst xmlns="${MAIN}">${strings}</sst>`);
  for (const [name, content] of Object.entries(parts)) {
    if (content === null) made.delete(name);
    else made.set(name, content);
  }
  return made;
}

export function workbookXml(sheets: string, properties = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?><workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${properties}<sheets>${sheets}</sheets></workbook>`;
}

/** Relationships by id: type and target. */
export function relationships(entries: Record<string, readonly [string, string]>): string {
  const each = Object.entries(entries).map(
    ([id, [type, target]]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}">${each.join('')}</Relationships>`;
}

export function sheetXml(rows: string): string {
  if (rows.startsWith('<?') || rows.startsWith('<!') || /^<[\w:]*worksheet/.test(rows)) return rows;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`;
}

function stylesXml(formats: (string | number)[]): string {
  const codes = formats.flatMap((code, at) =>
    typeof code === 'number' ? [] : [`<numFmt numFmtId="${164 + at}" formatCode="${escapeXml(code)}"/>`],
  );
  const styles = formats.map((code, at) => `<xf numFmtId="${typeof code === 'number' ? code : 164 + at}"/>`);
  return `<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`;
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A workbook as the bytes of its file. `change` may make entries lie. */
export function madeWorkbook(made: Made, change: (entry: RawEntry) => RawEntry = (entry) => entry): Buffer {
  return rawZip([...workbookParts(made)].map(([name, data]) => change({ name, data })));
}

/** Opens a workbook that is given by its bytes; it is closed by the test. */
export async function opened(bytes: Buffer, settings: Partial<TableInput> = {}): Promise<TableFile> {
  const folder = tempFolder();
  const path = join(folder, 'list.xlsx');
  writeFileSync(path, bytes);
  return openXlsx({ path, name: 'list.xlsx', folder, limits: LIMITS, records: null, charset: null, ...settings });
}

/** All rows of a sheet of a workbook, and the notes. */
export async function readAll(bytes: Buffer, table = 0, settings: Partial<TableInput> = {}) {
  await using file = await opened(bytes, settings);
  const rows: TableRow[] = [];
  for await (const batch of file.rows(table)) rows.push(...batch);
  return { tables: file.tables, rows, notes: file.notes() };
}

/** The cells of each row of a workbook's first sheet. */
export async function readCells(made: Made): Promise<string[][]> {
  return (await readAll(madeWorkbook(made))).rows.map(({ cells }) => cells);
}

/** The error of a workbook that cannot be read: its code and its sentence. */
export async function refused(bytes: Buffer, table = 0, settings: Partial<TableInput> = {}) {
  const error = await readAll(bytes, table, settings).then(
    () => null,
    (caught: unknown) => caught as { code: string; message: string; details: { code: string } },
  );
  return error === null ? null : { error: error.code, code: error.details.code, message: error.message };
}
