import { MOST_COLUMNS, MOST_ROWS } from '../table-file.ts';
import { styleOf, type Look } from './looks.ts';
import { columnName, xmlText } from './xml-text.ts';

/** A cell that stands out, with a comment; `column` counts from 0. */
export type Mark = { column: number; look: Look; comment: string | null };

/** A row: its cells as text, how all of them look, and the cells that stand out. */
export type WrittenRow = { cells: string[]; look: Look; marks: Mark[] };

/** A sheet. `widths` of its columns are in characters; the last one counts for all further columns. */
export type WrittenSheet = {
  name: string;
  widths: number[];
  /** Rows at the top that stay in sight. */
  frozen: number;
  /** Whether any cell has a comment. */
  commented: boolean;
  rows: Iterable<WrittenRow> | AsyncIterable<WrittenRow>;
};

/** A comment and its cell, both from 0. */
export type Comment = { row: number; column: number; text: string };

/** What did not fit into a sheet. */
export type Cuts = { cells: number; columns: number };

/** A cell of a workbook holds no more characters. */
const MOST_CHARACTERS = 32_767;
/** Characters that are passed on at a time. */
const PIECE = 1 << 16;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/**
 * The XML of a sheet, in pieces; its comments are added to `comments`, what is too long or too wide is cut and counted in `cuts`.
 * Every cell is an inline string: nothing in it is ever a number, a date or a formula.
 */
export async function* sheetPart(
  sheet: WrittenSheet,
  first: boolean,
  comments: Comment[],
  cuts: Cuts,
): AsyncGenerator<string> {
  let piece = `<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}">${viewOf(sheet, first)}${widthsOf(sheet)}<sheetData>`;
  let row = 0;
  for await (const written of sheet.rows) {
    if (row === MOST_ROWS) throw new RangeError(`A sheet has at most ${MOST_ROWS} rows.`);
    piece += rowXml(written, row, comments, cuts);
    row += 1;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  // Numbers that stay text need no warning in each cell.
  const whole = `A1:${columnName(MOST_COLUMNS - 1)}${MOST_ROWS}`;
  yield `${piece}</sheetData><ignoredErrors><ignoredError sqref="${whole}" numberStoredAsText="1"/></ignoredErrors>`;
  yield `${sheet.commented ? '<legacyDrawing r:id="rId1"/>' : ''}</worksheet>`;
}

function viewOf({ frozen }: WrittenSheet, first: boolean): string {
  const pane =
    frozen === 0
      ? ''
      : `<pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>`;
  const selected = first ? ' tabSelected="1"' : '';
  return `<sheetViews><sheetView${selected} workbookViewId="0">${pane}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>`;
}

function widthsOf({ widths }: WrittenSheet): string {
  const columns = widths.map((width, at) => {
    const last = at === widths.length - 1 ? MOST_COLUMNS : at + 1;
    return `<col min="${at + 1}" max="${last}" width="${width}" style="${styleOf('plain', '')}" customWidth="1"/>`;
  });
  return columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`;
}

function rowXml({ cells, look, marks }: WrittenRow, row: number, comments: Comment[], cuts: Cuts): string {
  const width = Math.min(Math.max(cells.length, ...marks.map(({ column }) => column + 1)), MOST_COLUMNS);
  if (cells.length > MOST_COLUMNS) cuts.columns += 1;
  let xml = `<row r="${row + 1}">`;
  for (let column = 0; column < width; column += 1) {
    const mark = marks.find((one) => one.column === column);
    const text = cells[column] ?? '';
    if (mark === undefined && text === '' && look === 'plain') continue;
    xml += cellXml(`${columnName(column)}${row + 1}`, cut(text, cuts), mark?.look ?? look);
    if (mark !== undefined && mark.comment !== null) comments.push({ row, column, text: mark.comment });
  }
  return `${xml}</row>`;
}

function cellXml(reference: string, text: string, look: Look): string {
  const style = styleOf(look, text);
  if (text === '') return `<c r="${reference}" s="${style}"/>`;
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

function cut(text: string, cuts: Cuts): string {
  if (text.length <= MOST_CHARACTERS) return text;
  cuts.cells += 1;
  return text.slice(0, MOST_CHARACTERS).toWellFormed();
}
