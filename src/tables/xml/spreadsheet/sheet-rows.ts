import { refusal } from '../../../io/refusal.ts';
import { appendWithin, fitRow, putCell } from '../../fit-row.ts';
import { sheetNumber, zeroFilled } from '../../plain-number.ts';
import { MOST_COLUMNS, MOST_ROWS, type TableInput, type TableRow } from '../../table-file.ts';
import type { XmlEvents } from '../parse-xml.ts';

/** How many hidden rows and columns with texts were read. */
export type Hidden = { rows: number; columns: number };

/** Which sheet is read, by its place, and what is known of the workbook. */
export type SheetInput = { input: TableInput; sheet: number; formats: Map<string, string>; hidden: Hidden };

/** Rows of the sheet that nobody has taken yet. */
export type SheetReader = XmlEvents & { take: () => TableRow[] };

type Attribute = (name: string) => string | null;
type Style = string | null;
type Cell = { type: string; text: string; style: Style };

/** Makes rows of the cells of one sheet, at the places that their indexes say. */
export function sheetRows({ input, sheet, formats, hidden }: SheetInput): SheetReader {
  const { limits } = input;
  let rows: TableRow[] = [];
  let at = -1;
  let line = 0;
  let column = 0;
  let nextColumn = 0;
  let rowSpan = 0;
  let cells: string[] = [];
  let isHidden = false;
  let styles: { row: Style; columns: Map<number, Style> } = { row: null, columns: new Map() };
  let cell: Cell | null = null;
  let inData = false;

  function place(now: number, index: string | null, most: number, what: string): number {
    const next = index === null ? now : Number(index);
    if (Number.isInteger(next) && next >= now && next <= most) return next;
    const why = next > most ? `has more ${what}s than a sheet can have` : `has ${what}s whose indexes do not rise`;
    throw refusal('workbook-broken', `${input.name} ${why} (row ${line}). Save the workbook again and send it.`, {
      line,
    });
  }

  function openColumn(of: Attribute): void {
    const first = place(nextColumn + 1, of('Index'), MOST_COLUMNS, 'column');
    const last = Math.min(first + count(of('Span')), MOST_COLUMNS);
    if (of('Hidden') === '1') hidden.columns += last - first + 1;
    for (let one = first; one <= last && of('StyleID') !== null; one++) styles.columns.set(one, of('StyleID'));
    nextColumn = last;
  }

  function openRow(of: Attribute): void {
    line = place(line + rowSpan + 1, of('Index'), MOST_ROWS, 'row');
    rowSpan = count(of('Span'));
    isHidden = of('Hidden') === '1';
    styles.row = of('StyleID');
    column = 0;
    cells = [];
  }

  function openCell(of: Attribute): void {
    column = place(column + 1, of('Index'), MOST_COLUMNS, 'column');
    cell = { type: '', text: '', style: of('StyleID') ?? styles.row ?? styles.columns.get(column) ?? null };
  }

  function closeRow(): void {
    const row = fitRow(cells, limits);
    if (row === null) return;
    if (isHidden) hidden.rows++;
    rows.push({ line, cells: row });
  }

  let merged = 0;
  return {
    open: (element, attributes) => {
      const of: Attribute = (key) => attributes.find(([name]) => name === key)?.[1] ?? null;
      if (element === 'Worksheet') {
        at++;
        [line, rowSpan, nextColumn] = [0, 0, 0];
        styles = { row: null, columns: new Map() };
      }
      if (at !== sheet) return;
      if (element === 'Column') openColumn(of);
      else if (element === 'Row') openRow(of);
      else if (element === 'Cell') {
        openCell(of);
        merged = count(of('MergeAcross'));
      } else if (element === 'Data' && cell !== null) {
        inData = true;
        cell.type = of('Type') ?? '';
      }
    },
    text: (text) => {
      if (inData && cell !== null) cell.text = appendWithin(cell.text, text, limits.cellLength);
    },
    close: (element) => {
      if (at !== sheet) return;
      if (element === 'Data') inData = false;
      else if (element === 'Cell' && cell !== null) {
        if (/\S/.test(cell.text)) putCell(cells, column - 1, shown(cell, formats));
        column = Math.min(column + merged, MOST_COLUMNS);
        cell = null;
      } else if (element === 'Row') closeRow();
    },
    done: () => at > sheet,
    take: () => {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
}

function count(attribute: string | null): number {
  const number = Number(attribute ?? 0);
  return Number.isInteger(number) && number > 0 ? Math.min(number, MOST_ROWS) : 0;
}

/** A cell as a person sees it. */
function shown({ type, text, style }: Cell, formats: Map<string, string>): string {
  if (type === 'Number') {
    const digits = sheetNumber(text);
    return zeroFilled(digits, formats.get(style ?? '') ?? formats.get('Default') ?? '') ?? digits;
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
