import { fixedDecimals, parseFormat } from '../../sheet/number-format.ts';
import { appendWithin, fitCells } from '../../fit-row.ts';
import { sheetNumber, zeroFilled } from '../../plain-number.ts';
import { MergedList, type MergedCells } from '../../merged-cells.ts';
import { RowCells } from '../../row-cells.ts';
import { powerFormat, powerText } from '../../sheet/scientific.ts';
import type { TableInput, TableRow } from '../../table-file.ts';
import type { XmlEvents } from '../parse-xml.ts';
import { sheetPlaces, type Attribute } from './sheet-places.ts';

/** How many hidden rows and columns were read. */
export type Hidden = { rows: number; columns: number };

/** Which sheet is read, by its place, and what is known of the workbook. */
export type SheetInput = { input: TableInput; sheet: number; formats: Map<string, string>; hidden: Hidden };

/** Rows of the sheet that nobody has taken yet. */
export type SheetReader = XmlEvents & { take: () => TableRow[]; merged: MergedCells[] };

type Cell = { column: number; rows: number; type: string; text: string; style: string | null };

/** Makes rows of the cells of one sheet, at the places that their indexes say. */
export function sheetRows({ input, sheet, formats, hidden }: SheetInput): SheetReader {
  const { limits } = input;
  const places = sheetPlaces(input.name);
  const cells = new RowCells();
  const merged = new MergedList(input.name);
  let rows: TableRow[] = [];
  let at = -1;
  let row: { line: number; isHidden: boolean } | null = null;
  let cell: Cell | null = null;
  let inData = false;
  /** Comments of cells have data as well. */
  let inComment = false;

  function open(element: string, of: Attribute): void {
    if (element === 'Column') hidden.columns += places.columns(of);
    else if (element === 'Row') row = { line: places.row(of), isHidden: of('Hidden') === '1' };
    else if (element === 'Cell') cell = { ...places.cell(of), type: '', text: '' };
    else if (element === 'Comment') inComment = true;
    else if (element === 'Data' && cell !== null && !inComment) {
      inData = true;
      cell.type = of('Type') ?? '';
    }
  }

  function closeRow(): void {
    if (row !== null && !cells.isEmpty) {
      rows.push({ line: row.line, ...fitCells(cells.take(), limits) });
      if (row.isHidden) hidden.rows++;
    }
    row = null;
  }

  return {
    open: (element, attributes) => {
      if (element === 'Worksheet') at++;
      if (at === sheet) open(element, (key) => attributes.find(([name]) => name === key)?.[1] ?? null);
    },
    text: (text) => {
      if (inData && cell !== null) cell.text = appendWithin(cell.text, text, limits.cellLength);
    },
    close: (element) => {
      if (element === 'Data') inData = false;
      else if (element === 'Comment') inComment = false;
      else if (element === 'Row') closeRow();
      else if (element === 'Cell') {
        if (cell !== null && row !== null && /\S/.test(cell.text)) {
          const { column, rows: below } = cell;
          cells.put(column, shown(cell, formats));
          merged.add({ column, first: row.line, last: row.line + below });
        }
        cell = null;
      }
    },
    done: () => at > sheet,
    merged: merged.cells,
    take: () => {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
}

/** The name of the format with two decimals. */
const FIXED = 'Fixed';

function decimalsOf(digits: string, code: string): string | null {
  const format = parseFormat(code === FIXED ? '0.00' : code);
  return format.kind === 'decimals' ? fixedDecimals(digits, format) : null;
}

/** A cell as a person sees it. */
function shown({ type, text, style }: Cell, formats: Map<string, string>): string {
  if (type === 'Number') {
    const digits = sheetNumber(text);
    const code = formats.get(style ?? '') ?? formats.get('Default') ?? '';
    const power = powerFormat(code === 'Scientific' ? '0.00E+00' : code);
    if (power !== null) return powerText(digits, power) ?? digits;
    return zeroFilled(digits, code) ?? decimalsOf(digits, code) ?? digits;
  }
  if (type === 'Boolean') return text.trim() === '0' ? 'FALSE' : 'TRUE';
  if (type !== 'DateTime') return text;
  const [, date, time = '00:00', seconds = '00'] =
    /^\s*(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d))?)?/.exec(text) ?? [];
  if (date === undefined) return text;
  const clock = `${time}${seconds === '00' ? '' : `:${seconds}`}`;
  // A time without a date is one of the day before the first.
  if (/^1899-12-3[01]$/.test(date)) return clock;
  return clock === '00:00' ? date : `${date} ${clock}`;
}
