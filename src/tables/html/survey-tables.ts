import type { HtmlEvents } from './parse-html.ts';

/** Tables of a page that are one list: their places among all tables, rising, and how much stands in cells of their own. */
export type PageList = { at: number[]; rows: number; filled: number };

/** A table that is not of the list: its place among all tables, from 1, and its rows. */
export type OtherTable = { at: number; rows: number };

/** A walk through a page; `best` is the largest list, null when no table has two rows and two columns. */
export type TableSurvey = HtmlEvents & { best: () => PageList | null; others: () => OtherTable[] };

type Open = {
  at: number;
  rows: number;
  filled: number;
  widest: number;
  width: number;
  cells: number;
  hasText: boolean;
  inCell: boolean;
  /** The texts of the row that is open, until one has named the columns. */
  names: string[];
  header: string | null;
};

/** What of a name tells it from others. */
const LONGEST_NAME = 100;
const MOST_NAMES = 200;
/** Lists that are told apart. */
const MOST_LISTS = 10_000;

/** Counts rows and filled cells of each table of a page; tables whose first row of several cells is the same are one list. */
export function surveyTables(): TableSurvey {
  const open: Open[] = [];
  const lists = new Map<string, PageList>();
  const fitting: OtherTable[] = [];
  let tables = 0;

  function endCell(table: Open): void {
    if (table.hasText) table.cells++;
    table.hasText = false;
    table.inCell = false;
  }

  function endRow(table: Open): void {
    endCell(table);
    if (table.cells > 0) table.rows++;
    if (table.cells > 1) table.header ??= JSON.stringify(table.names.map(folded));
    table.filled += table.cells;
    table.widest = Math.max(table.widest, table.width);
    table.cells = 0;
    table.width = 0;
    table.names = [];
  }

  function endTable(): void {
    const table = open.pop();
    if (table === undefined) return;
    endRow(table);
    const { at, rows, filled, widest, header } = table;
    if (rows < 2 || widest < 2) return;
    fitting.push({ at, rows });
    const key = header ?? `table ${at}`;
    const list = lists.get(key);
    if (list === undefined) {
      if (lists.size < MOST_LISTS) lists.set(key, { at: [at], rows, filled });
      return;
    }
    list.at.push(at);
    list.rows += rows;
    list.filled += filled;
  }

  function best(): PageList | null {
    let found: PageList | null = null;
    for (const list of lists.values()) {
      if (found === null || list.rows * list.filled > found.rows * found.filled) found = list;
    }
    return found === null ? null : { ...found, at: found.at.toSorted((a, b) => a - b) };
  }

  return {
    open: (name) => {
      if (name === 'table') open.push(newTable(tables++));
      const table = open.at(-1);
      if (table === undefined) return;
      if (name === 'tr') endRow(table);
      if (name !== 'td' && name !== 'th') return;
      endCell(table);
      table.inCell = true;
      table.width++;
      if (table.header === null && table.width <= MOST_NAMES) table.names.push('');
    },
    text: (text) => {
      const table = open.at(-1);
      if (table?.inCell !== true) return;
      if (!table.hasText && /\S/.test(text)) table.hasText = true;
      if (table.header !== null || table.width > MOST_NAMES) return;
      const last = table.names.length - 1;
      if (table.names[last]!.length < LONGEST_NAME) table.names[last] += text.slice(0, LONGEST_NAME);
    },
    close: (name) => {
      const table = open.at(-1);
      if (table === undefined) return;
      if (name === 'table') endTable();
      else if (name === 'td' || name === 'th') endCell(table);
      else if (name === 'tr') endRow(table);
    },
    best,
    others: () => {
      const read = new Set(best()?.at);
      return fitting.filter(({ at }) => !read.has(at)).map(({ at, rows }) => ({ at: at + 1, rows }));
    },
  };
}

function newTable(at: number): Open {
  const nothing = { rows: 0, filled: 0, widest: 0, width: 0, cells: 0, hasText: false, inCell: false };
  return { at, ...nothing, names: [], header: null };
}

/** Case, blanks and marks make no other name. */
function folded(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
