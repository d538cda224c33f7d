import type { MergedCells } from '../../src/tables/merged-cells.ts';
import type { TableFile, TableRow } from '../../src/tables/table-file.ts';

/** Sheets by name, each with its rows: cells by row number. A name that begins with a full stop is hidden. */
export type Sheets = Record<string, Record<number, string[]>>;

/** An open file with these sheets, whose rows come one in each batch, and the merged cells of each sheet. */
export function madeFile(sheets: Sheets, merged: MergedCells[][] = []): TableFile {
  const names = Object.keys(sheets);
  return {
    tables: names.map((name) => ({ name: name.replace(/^\./, ''), hidden: name.startsWith('.') })),
    rows: async function* (table): AsyncGenerator<TableRow[], void> {
      for (const [line, cells] of Object.entries(sheets[names[table]!]!)) {
        yield await Promise.resolve([{ line: Number(line), cells }]);
      }
    },
    found: null,
    isHeaded: false,
    columnNames: {},
    merged: (table) => merged[table] ?? [],
    notes: () => [],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
