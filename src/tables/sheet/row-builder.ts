import { refusal } from '../../io/refusal.ts';
import { RowCells } from '../row-cells.ts';
import { MOST_COLUMNS, MOST_ROWS, type TableLimits, type TableRow } from '../table-file.ts';
import { MergedList } from '../merged-cells.ts';
import { noFindings, type SheetFindings } from './sheet-findings.ts';
import { XmlError } from '../package/xml/xml-error.ts';

/** The names of the file and of the sheet, for messages. */
export type SheetNames = { file: string; sheet: string };

/** Cells of a batch. */
const BATCH_CELLS = 1 << 15;
/** Cells of a sheet that hold nothing but a format, or nothing at all. */
const MOST_EMPTY = 64_000_000;

/** Puts cells into rows, and rows into batches, within the limits of a sheet. */
export class RowBuilder {
  readonly findings: SheetFindings = noFindings();
  readonly merged: MergedList;
  readonly #names: SheetNames;
  readonly #limits: TableLimits;
  #hiddenColumns: Uint8Array | null = null;
  #batch: TableRow[] = [];
  #batchCells = 0;
  #empty = 0;
  #line = 0;
  #isHidden = false;
  /** Of the row that is open. */
  readonly #cells = new RowCells();
  #met = 0;
  #length = 0;

  constructor(names: SheetNames, limits: TableLimits) {
    this.#names = names;
    this.merged = new MergedList(names.file);
    this.#limits = limits;
  }

  /** The number of the row that is open. */
  get line(): number {
    return this.#line;
  }

  hideColumns(first: number, last: number): void {
    this.#hiddenColumns ??= new Uint8Array(MOST_COLUMNS);
    this.#hiddenColumns.fill(1, Math.max(0, first - 1), Math.min(last, MOST_COLUMNS));
  }

  /** Begins a row; without a number it is the next one. */
  openRow(line: number | null, isHidden: boolean): void {
    if (line !== null && line <= this.#line) throw new XmlError(`row ${line} comes after row ${this.#line}`);
    this.#line = line ?? this.#line + 1;
    if (this.#line > MOST_ROWS) throw new XmlError(`row ${this.#line} is beyond the last row that a sheet can have`);
    this.#isHidden = isHidden;
    this.#met = 0;
    this.#length = 0;
  }

  /** The row that is open has this number, if its cells say so and rows may skip to it. */
  moveTo(line: number): void {
    if (line > this.#line && line <= MOST_ROWS && this.#met === 0) this.#line = line;
  }

  /** Puts a text into a column, numbered from 0. */
  put(column: number, text: string): void {
    if (column >= MOST_COLUMNS || ++this.#met > MOST_COLUMNS) {
      throw new XmlError(`row ${this.#line} has more than ${MOST_COLUMNS} columns`);
    }
    if (text === '') {
      if (++this.#empty > MOST_EMPTY) throw this.#tooManyEmpty();
      return;
    }
    const limited = this.#limited(text);
    if (limited === '') return;
    this.#cells.put(column, limited);
    if (this.#hiddenColumns?.[column] === 1) this.findings.hiddenColumns.add(column);
  }

  /** Ends the row; true when the batch is full. */
  closeRow(): boolean {
    if (this.#cells.isEmpty) return false;
    if (this.#isHidden) this.findings.hiddenRows++;
    const row = { line: this.#line, ...this.#cells.take() };
    this.#batch.push(row);
    this.#batchCells += row.cells.length + (row.far?.length ?? 0);
    return this.#batchCells >= BATCH_CELLS;
  }

  /** The rows since the last call. */
  take(): TableRow[] {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchCells = 0;
    return batch;
  }

  /** No cell and no row is longer than a check needs to see that it is too long. */
  #limited(text: string): string {
    const { cellLength, rowLength } = this.#limits;
    const most = Math.min(cellLength, rowLength - this.#length) + 1;
    const limited = text.length > most ? text.slice(0, Math.max(0, most)) : text;
    this.#length += limited.length;
    return limited;
  }

  #tooManyEmpty() {
    const { file, sheet } = this.#names;
    const message = `The sheet "${sheet}" of ${file} has more than ${MOST_EMPTY} empty cells. Delete the rows and columns behind the list, save the workbook and send it again.`;
    return refusal('workbook-too-large', message, { file, sheet, limit: MOST_EMPTY });
  }
}
