import { refusal } from '../../io/refusal.ts';
import { appendWithin, putCell, rowFitter } from '../fit-row.ts';
import { sheetNumber } from '../plain-number.ts';
import { MOST_COLUMNS, type TableInput, type TableRow } from '../table-file.ts';
import type { HtmlEvents } from './parse-html.ts';

/** Rows of a table that nobody has taken yet, and how many hidden rows and columns were read. */
export type CellReader = HtmlEvents & { take: () => TableRow[]; hidden: () => number };

/** Browsers read no wider and no higher cells. */
const MOST_COLSPAN = 1_000;
const MOST_ROWSPAN = 65_534;
/** Cells that those above cover: more would take longer to skip than to read. */
const MOST_SKIPPED = 20_000_000;

/** Elements around which a page breaks the line, and those whose content is no text. */
const BREAKS = /^(?:br|p|div|li|ul|ol|hr|h[1-6]|pre|table|tr|td|th|caption|dd|dt)$/;
const SILENT = /^(?:script|style|template|noscript|head|title|textarea|select)$/;

type Cell = { text: string; column: number; value: string | null };

/** Makes rows of one table of a page, by its place among them; cells that span others are followed by empty ones. */
export function tableCells(input: TableInput, table: number): CellReader {
  const { limits } = input;
  const fit = rowFitter(input);
  let rows: TableRow[] = [];
  let tables = 0;
  /** Tables that are open inside the one that is read, and itself; 0 outside. */
  let depth = 0;
  let silent = 0;
  let line = 0;
  let hiddenRows = 0;
  let row: { cells: string[]; isHidden: boolean } | null = null;
  let cell: Cell | null = null;
  const places = cellPlaces(input.name);
  const comment = commentElements();

  function endCell(): void {
    const text = cell === null ? '' : seenText(cell.text, cell.value);
    if (cell !== null && row !== null && /\S/.test(text)) putCell(row.cells, cell.column, text);
    cell = null;
  }

  function endRow(): void {
    endCell();
    if (row === null) return;
    const cells = fit(row.cells);
    if (cells !== null) {
      rows.push({ line, cells });
      if (row.isHidden) hiddenRows++;
    }
    row = null;
  }

  function beginRow(attributes: Record<string, string>): void {
    endRow();
    line++;
    row = { cells: [], isHidden: 'hidden' in attributes || /display\s*:\s*none/i.test(attributes['style'] ?? '') };
  }

  function beginCell(attributes: Record<string, string>): void {
    if (row === null) beginRow({});
    endCell();
    cell = { text: '', column: places(line, attributes), value: attributes['x:num'] ?? attributes['sdval'] ?? null };
  }

  return {
    open: (name, attributes) => {
      if (name === 'table' && (tables++ === table || depth > 0)) depth++;
      if (depth === 0) return;
      comment.open(name, attributes['class'] ?? '');
      if (SILENT.test(name)) silent++;
      if (cell !== null && (depth > 1 || BREAKS.test(name))) cell.text = appendWithin(cell.text, ' ', longest(limits));
      if (depth > 1) return;
      if (name === 'tr') beginRow(attributes);
      else if (name === 'td' || name === 'th') beginCell(attributes);
    },
    text: (text) => {
      if (cell !== null && silent === 0 && !comment.isOpen())
        cell.text = appendWithin(cell.text, text, longest(limits));
    },
    close: (name) => {
      if (depth === 0) return;
      comment.close(name);
      if (SILENT.test(name)) silent = Math.max(0, silent - 1);
      if (cell !== null && BREAKS.test(name)) cell.text = appendWithin(cell.text, ' ', longest(limits));
      if (depth === 1 && (name === 'td' || name === 'th')) endCell();
      else if (depth === 1 && name === 'tr') endRow();
      else if (name === 'table') {
        if (depth === 1) endRow();
        depth--;
      }
    },
    done: () => depth === 0 && tables > table,
    take: () => {
      const taken = rows;
      rows = [];
      return taken;
    },
    hidden: () => hiddenRows,
  };
}

/** The class of what office programs write into a cell for its comment: an anchor such as `[1]`, or the comment itself. */
const OF_COMMENT = /(?:^|\s)mso(?:com(?:anchor|txt|off)|commenttext)/i;

/** Follows the elements that belong to the comment of a cell, whose text is none of the cell. */
function commentElements() {
  let element = '';
  let depth = 0;
  return {
    isOpen: () => depth > 0,
    open: (name: string, className: string) => {
      if (depth > 0) depth += name === element ? 1 : 0;
      else if (OF_COMMENT.test(className)) [element, depth] = [name, 1];
    },
    close: (name: string) => {
      if (depth > 0 && name === element) depth -= 1;
    },
  };
}

/** The columns of cells, each beside and below those that span columns and rows. Throws `file-rejected` for too many of them. */
function cellPlaces(file: string): (line: number, attributes: Record<string, string>) => number {
  /** For each column the last row that a cell covers. */
  const covered: number[] = [];
  let row = 0;
  let column = 0;
  let skipped = 0;

  function refused(why: string): Error {
    const advice = 'Save the list as a workbook and send it.';
    return refusal('no-table', `The table of ${file} has ${why} (row ${row}). ${advice}`, { line: row });
  }

  return (line, attributes) => {
    if (line !== row) [row, column] = [line, 0];
    for (; (covered[column] ?? 0) >= line; column++) skipped++;
    if (skipped > MOST_SKIPPED) throw refused('more merged cells than a list can have');
    const first = column;
    const end = first + span(attributes['colspan'], MOST_COLSPAN);
    if (end > MOST_COLUMNS) throw refused('more columns than a sheet can have');
    const last = line + span(attributes['rowspan'], MOST_ROWSPAN) - 1;
    for (; column < end; column++) covered[column] = last;
    return first;
  };
}

/** Blanks of the source are not seen, so that more is read than a cell may have. */
function longest({ cellLength }: TableInput['limits']): number {
  return 4 * cellLength + 1_000;
}

function span(attribute: string | undefined, most: number): number {
  const number = Number.parseInt(attribute ?? '1', 10);
  return number >= 1 ? Math.min(number, most) : 1;
}

/**
 * The text of a cell as a browser shows it: runs of blanks and line breaks are one blank, none at its ends. `value` is the number
 * behind what is shown, which Excel (`x:num`) and LibreOffice (`sdval`) write beside it: it has all digits and no separators.
 */
function seenText(text: string, value: string | null): string {
  const seen = text
    .replaceAll(/[ \t\r\n\f]+/g, ' ')
    .replace(/^ /, '')
    .replace(/ $/, '');
  if (value === null || !/^\s*[-+]?\d/.test(value)) return seen;
  return seen === '' || isShown(seen, Number(value)) ? sheetNumber(value) : seen;
}

/** Whether a text is a number, rounded and with separators; leading zeros, units and dates carry a meaning of their own. */
function isShown(text: string, value: number): boolean {
  if (!/^[-+]?(?!0\d)\d[\d., '\u00A0\u202F]*$/.test(text)) return false;
  const plain = text.replaceAll(/[ '\u00A0\u202F]/g, '');
  const decimals = /[.,](\d*)$/.exec(plain)?.[1]?.length ?? 0;
  const whole = Number(plain.replaceAll(/[.,]/g, ''));
  return Math.abs(whole - value) <= 0.5 || Math.abs(whole / 10 ** decimals - value) <= 0.501 / 10 ** decimals;
}
