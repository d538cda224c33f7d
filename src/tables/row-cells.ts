import { NEAR_COLUMNS, type FarCell, type TableRow } from './table-file.ts';

/** The cells of a row, without its number. */
export type RowContent = Omit<TableRow, 'line'>;

/** Gathers the cells of one row after the other, each in its column, in any order. Empty cells between them take no room. */
export class RowCells {
  /** An array that all rows use: one that grows for each row is garbage. */
  readonly #near: string[] = [];
  #width = 0;
  #far: FarCell[] = [];
  #rises = true;

  get isEmpty(): boolean {
    return this.#width === 0 && this.#far.length === 0;
  }

  /** Puts a text that is not empty into a column, numbered from 0; what was there is replaced. */
  put(column: number, text: string): void {
    if (column >= NEAR_COLUMNS) {
      this.#rises &&= column > (this.#far.at(-1)?.column ?? -1);
      this.#far.push({ column, text });
      return;
    }
    while (this.#near.length <= column) this.#near.push('');
    this.#near[column] = text;
    if (column >= this.#width) this.#width = column + 1;
  }

  /** The row so far; the next one begins. */
  take(): RowContent {
    const cells = this.#near.slice(0, this.#width);
    const far = this.#rises ? this.#far : rising(this.#far);
    this.#near.fill('', 0, this.#width);
    this.#width = 0;
    this.#far = [];
    this.#rises = true;
    return far.length === 0 ? { cells } : { cells, far };
  }
}

/** Cells in the order of their columns; of several in one column the last. */
function rising(cells: FarCell[]): FarCell[] {
  const texts = new Map(cells.map(({ column, text }) => [column, text]));
  return [...texts].map(([column, text]) => ({ column, text })).sort((a, b) => a.column - b.column);
}
