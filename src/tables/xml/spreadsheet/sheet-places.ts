import { refusal } from '../../../io/refusal.ts';
import { MOST_COLUMNS, MOST_ROWS } from '../../table-file.ts';

/** The value of an attribute; null when the element has none of this name. */
export type Attribute = (name: string) => string | null;

/** Where the cells of a sheet are: rows and columns count on, unless an index says where they are. */
export type SheetPlaces = {
  /** A declaration of columns; gives how many of them are hidden. */
  columns: (of: Attribute) => number;
  /** A row; gives its number. */
  row: (of: Attribute) => number;
  /** A cell; gives its column, from 0, and its style: its own, or that of its row or column; `rows`: how many it covers below. */
  cell: (of: Attribute) => { column: number; style: string | null; rows: number };
};

/** Follows the places of one sheet of a file with this name. Throws `file-rejected` for places that no sheet has. */
export function sheetPlaces(file: string): SheetPlaces {
  let line = 0;
  let skipped = 0;
  let declared = 0;
  let column = 0;
  let rowStyle: string | null = null;
  const columnStyles = new Map<number, string>();

  function place(next: number, index: string | null, most: number, what: string): number {
    const at = index === null ? next : Number(index);
    if (Number.isInteger(at) && at >= next && at <= most) return at;
    const why = at > most ? `has more ${what}s than a sheet can have` : `has ${what}s whose indexes do not rise`;
    throw refusal('workbook-broken', `${file} ${why} (row ${line}). Save the workbook again and send it.`, { line });
  }

  return {
    columns: (of) => {
      const first = place(declared + 1, of('Index'), MOST_COLUMNS, 'column');
      declared = Math.min(first + count(of('Span')), MOST_COLUMNS);
      const style = of('StyleID');
      if (style !== null) for (let at = first; at <= declared; at++) columnStyles.set(at, style);
      return of('Hidden') === '1' ? declared - first + 1 : 0;
    },
    row: (of) => {
      line = place(line + skipped + 1, of('Index'), MOST_ROWS, 'row');
      skipped = count(of('Span'));
      rowStyle = of('StyleID');
      column = 0;
      return line;
    },
    cell: (of) => {
      const at = place(column + 1, of('Index'), MOST_COLUMNS, 'column');
      column = Math.min(at + count(of('MergeAcross')), MOST_COLUMNS);
      const style = of('StyleID') ?? rowStyle ?? columnStyles.get(at) ?? null;
      return { column: at - 1, style, rows: count(of('MergeDown')) };
    },
  };
}

function count(attribute: string | null): number {
  const number = Number(attribute ?? 0);
  return Number.isInteger(number) && number > 0 ? Math.min(number, MOST_ROWS) : 0;
}
