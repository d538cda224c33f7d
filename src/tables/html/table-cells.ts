import { refusal } from '../../io/refusal.ts';
import { appendWithin, fitCells } from '../fit-row.ts';
import { MergedList, type MergedCells } from '../merged-cells.ts';
import { sheetNumber } from '../plain-number.ts';
import { RowCells } from '../row-cells.ts';
import { MOST_COLUMNS, type TableInput, type TableRow } from '../table-file.ts';
import type { HtmlEvents } from './parse-html.ts';

/** Rows that nobody has taken yet, how many hidden ones were read, and the cells that cover others below them. */
export type CellReader = HtmlEvents & { take: () => TableRow[]; hidden: () => number; merged: () => MergedCells[] };

/** Browsers read no wider and no higher cells. */
const MOST_COLSPAN = 1_000;
const MOST_ROWSPAN = 65_534;
/** Cells that those above cover: more would take longer to skip than to read. */
const MOST_SKIPPED = 20_000_000;

/** Elements around which a page breaks the line, those that part what stands in one cell, and those whose content counts for nothing. */
const BREAKS = /^(?:br|p|div|li|ul|ol|hr|h[1-6]|pre|table|tr|td|th|caption|dd|dt)$/;
const LINES = /^(?:br|p|div|li)$/;
const SILENT = /^(?:script|style|template|noscript|head|title|textarea|select|s|strike|del)$/;
/** What stands for a break inside a cell until the white space of the page is taken out. */
const LINE_BREAK = '\v';

type Cell = { text: string; column: number; last: number; value: string | null };

/**
 * Makes rows of the tables of a page that are one list, by their places among all tables; they are counted through all of them.
 * Cells that span others are followed by empty ones.
 */
export function tableCells(input: TableInput, list: number[]): CellReader {
  const { limits } = input;
  const cells = new RowCells();
  let rows: TableRow[] = [];
  const merged = new MergedList(input.name);
  const read = new Set(list);
  const lastTable = list.at(-1) ?? -1;
  let tables = 0;
  /** Tables that are open inside the one that is read, and itself; 0 outside. */
  let depth = 0;
  let silent = 0;
  let line = 0;
  let hiddenRows = 0;
  let row: { isHidden: boolean } | null = null;
  let cell: Cell | null = null;
  let places = cellPlaces(input.name);
  const comment = commentElements();

  function endCell(): void {
    const text = cell === null ? '' : seenText(cell.text, cell.value);
    if (cell !== null && row !== null && /\S/.test(text)) {
      cells.put(cell.column, text);
      merged.add({ column: cell.column, first: line, last: cell.last });
    }
    cell = null;
  }

  function endRow(): void {
    endCell();
    if (row === null) return;
    if (!cells.isEmpty) {
      rows.push({ line, ...fitCells(cells.take(), limits) });
      if (row.isHidden) hiddenRows++;
    }
    row = null;
  }

  function beginRow(attributes: Record<string, string>): void {
    endRow();
    line++;
    row = { isHidden: 'hidden' in attributes || /display\s*:\s*none/i.test(attributes['style'] ?? '') };
  }

  function beginCell(attributes: Record<string, string>): void {
    if (row === null) beginRow({});
    endCell();
    cell = { text: '', ...places(line, attributes), value: attributes['x:num'] ?? attributes['sdval'] ?? null };
  }

  return {
    open: (name, attributes) => {
      if (name === 'table') {
        const isRead = read.has(tables++);
        if (isRead && depth === 0) places = cellPlaces(input.name);
        if (isRead || depth > 0) depth++;
      }
      if (depth === 0) return;
      comment.open(name, attributes['class'] ?? '');
      if (SILENT.test(name)) silent++;
      if (cell !== null && (depth > 1 || BREAKS.test(name)))
        cell.text = appendWithin(cell.text, depth === 1 && LINES.test(name) ? LINE_BREAK : ' ', longest(limits));
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
        if (depth === 1) {
          endRow();
          // No cell covers more than its table.
          for (const cells of merged.cells) cells.last = Math.min(cells.last, line);
        }
        depth--;
      }
    },
    done: () => depth === 0 && tables > lastTable,
    take: () => {
      const taken = rows;
      rows = [];
      return taken;
    },
    hidden: () => hiddenRows,
    merged: () => merged.cells,
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

/** The column of each cell, beside and below those that span columns and rows, and its last row. Throws `file-rejected` for too many of them. */
function cellPlaces(
  file: string,
): (line: number, attributes: Record<string, string>) => { column: number; last: number } {
  /** For each column the last row that a cell of several rows covers. */
  const covered = new Int32Array(MOST_COLUMNS);
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
    // What covers no row below is passed by the next cell of this one.
    if (last > line) for (let at = first; at < end; at++) covered[at] = last;
    column = end;
    return { column: first, last };
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

/** A number without separators, whose last decimals may be zeros. */
const DECIMALS = /^(\d+)[.,](\d+)$/;

/**
 * The text of a cell as a browser shows it: runs of white space are one blank, what begins a line is a line break, none of them at its ends. `value` is the number
 * behind what is shown, which Excel (`x:num`) and LibreOffice (`sdval`) write beside it: it has all digits and no separators.
 */
function seenText(text: string, value: string | null): string {
  const seen = text
    .replaceAll(/[ \t\r\n\f]+/g, ' ')
    .replaceAll(/ ?\v[ \v]*/g, '\n')
    .replace(/^[ \n]/, '')
    .replace(/[ \n]$/, '');
  if (value === null || !/^\s*[-+]?\d/.test(value)) return seen;
  const decimals = DECIMALS.exec(seen);
  if (decimals !== null && Number(`${decimals[1]}.${decimals[2]}`) === Number(value))
    return `${decimals[1]}.${decimals[2]}`;
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
