import type { HtmlEvents } from './parse-html.ts';

/** A table of a page: its place among all tables, and how much stands in cells of its own, not in tables inside them. */
export type PageTable = { at: number; rows: number; filled: number; widest: number };

/** A walk through a page; `best` is the largest table, null when none has two rows and two columns. */
export type TableSurvey = HtmlEvents & { best: () => PageTable | null; others: () => number };

type Open = PageTable & { width: number; cells: number; hasText: boolean; inCell: boolean };

/** Counts rows and filled cells of each table of a page. */
export function surveyTables(): TableSurvey {
  const open: Open[] = [];
  let tables = 0;
  let fitting = 0;
  let best: PageTable | null = null;

  function endCell(table: Open): void {
    if (table.hasText) table.cells++;
    table.hasText = false;
    table.inCell = false;
  }

  function endRow(table: Open): void {
    endCell(table);
    if (table.cells > 0) table.rows++;
    table.filled += table.cells;
    table.widest = Math.max(table.widest, table.width);
    table.cells = 0;
    table.width = 0;
  }

  function endTable(): void {
    const table = open.pop();
    if (table === undefined) return;
    endRow(table);
    if (table.rows < 2 || table.widest < 2) return;
    fitting++;
    if (best === null || table.rows * table.filled > best.rows * best.filled) {
      best = { at: table.at, rows: table.rows, filled: table.filled, widest: table.widest };
    }
  }

  return {
    open: (name) => {
      if (name === 'table') {
        open.push({ at: tables++, rows: 0, filled: 0, widest: 0, width: 0, cells: 0, hasText: false, inCell: false });
      }
      const table = open.at(-1);
      if (table === undefined) return;
      if (name === 'tr') endRow(table);
      if (name !== 'td' && name !== 'th') return;
      endCell(table);
      table.inCell = true;
      table.width++;
    },
    text: (text) => {
      const table = open.at(-1);
      if (table?.inCell === true && !table.hasText && /\S/.test(text)) table.hasText = true;
    },
    close: (name) => {
      const table = open.at(-1);
      if (table === undefined) return;
      if (name === 'table') endTable();
      else if (name === 'td' || name === 'th') endCell(table);
      else if (name === 'tr') endRow(table);
    },
    best: () => best,
    others: () => fitting - 1,
  };
}
