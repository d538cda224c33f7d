import { refusal } from '../io/refusal.ts';

/** A cell that covers others below it: its column, from 0, and its first and last row, from 1. */
export type MergedCells = { column: number; first: number; last: number };

/** More merged cells than rows that a sheet can have. */
const MOST_MERGED = 1_048_576;

/** The merged cells of a table that cover more than one row. */
export class MergedList {
  readonly cells: MergedCells[] = [];
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Cells that only cover others beside them are left out: what they say stands in its row already. */
  add(cells: MergedCells): void {
    if (cells.last <= cells.first) return;
    if (this.cells.length < MOST_MERGED) this.cells.push(cells);
    else {
      const what = `${this.#file} has more merged cells than a list can have.`;
      throw refusal('workbook-too-large', `${what} Save the list without merged cells and send it again.`);
    }
  }
}
