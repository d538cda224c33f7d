import { refusal } from '../../io/refusal.ts';
import { XmlError } from '../package/xml/xml-error.ts';
import type { XmlHandler } from '../package/xml/scanner.ts';
import type { XmlTag } from '../package/xml/tag.ts';
import { RowBuilder, type SheetNames } from '../sheet/row-builder.ts';
import { columnName } from '../sheet/sheet-findings.ts';
import { MOST_COLUMNS, type TableLimits } from '../table-file.ts';
import { cellText, readCell, repetitions, type OdsCell } from './cell.ts';
import { CODES } from './codes.ts';
import { Paragraphs } from './paragraphs.ts';
import { isTable, type Survey } from './survey.ts';

/** Filled cells that one table may have by saying that a cell or row comes again. */
const MOST_REPEATED = 10_000_000;
/** What within a table or a cell is not of it: comments, pictures with text, how a text is read aloud. */
const FOREIGN = new Set<number>([
  CODES.table,
  CODES['tracked-changes'],
  CODES.shapes,
  CODES.annotation,
  CODES['ruby-text'],
  CODES.note,
  CODES.frame,
  CODES['custom-shape'],
]);

/** Reads the rows of one table of a document, by its place among them, and has `rows` put them into batches. */
export class TableReader implements XmlHandler {
  readonly rows: RowBuilder;
  /** The table is over. */
  isDone = false;
  readonly #names: SheetNames;
  readonly #survey: Survey;
  readonly #columnStyles: (string | undefined)[] = [];
  readonly #paragraphs: Paragraphs;
  #tablesLeft: number;
  #within: 'nothing' | 'table' | 'row' | 'cell' | 'paragraph' = 'nothing';
  #depth = 0;
  #spreadsheet = 0;
  /** The depth of what is passed over. */
  #foreign = 0;
  #columns = 0;
  #line = 1;
  #rowRepeated = 1;
  #rowStyle: string | undefined;
  #isHidden = false;
  #column = 0;
  #cell: OdsCell | null = null;
  #filled: { column: number; text: string }[] = [];
  #rowsLeft = 0;
  #repeated = 0;

  constructor(names: SheetNames, limits: TableLimits, { survey, table }: { survey: Survey; table: number }) {
    this.rows = new RowBuilder(names, limits);
    this.#names = names;
    this.#survey = survey;
    this.#tablesLeft = table;
    this.#paragraphs = new Paragraphs(limits.cellLength);
  }

  open(code: number, tag: XmlTag): void {
    this.#depth++;
    if (this.#foreign > 0) return;
    if (this.#within === 'nothing') this.#openOutside(code);
    else if (FOREIGN.has(code)) this.#foreign = this.#depth;
    else if (this.#within === 'table') {
      if (code === CODES['table-column']) this.#addColumns(tag);
      else if (code === CODES['table-row']) this.#openRow(tag);
    } else if (this.#within === 'row') {
      if (code === CODES['table-cell'] || code === CODES['covered-table-cell']) this.#openCell(tag);
    } else if (this.#within === 'cell') {
      if (code !== CODES.p) return;
      this.#within = 'paragraph';
      this.#paragraphs.openParagraph();
    } else this.#openInParagraph(code, tag);
  }

  close(code: number): boolean {
    const depth = this.#depth--;
    if (this.#foreign > 0) {
      if (depth === this.#foreign) this.#foreign = 0;
    } else if (this.#within === 'paragraph') {
      if (code === CODES.p) this.#within = 'cell';
    } else if (this.#within === 'cell') {
      if (code === CODES['table-cell'] || code === CODES['covered-table-cell']) this.#closeCell();
    } else if (this.#within === 'row') {
      if (code === CODES['table-row']) return this.#closeRow();
    } else if (this.#within === 'table' && code === CODES.table) {
      this.#within = 'nothing';
      this.isDone = true;
      return true;
    }
    return false;
  }

  wantsText(): boolean {
    return this.#within === 'paragraph' && this.#foreign === 0;
  }

  text(piece: string): void {
    this.#paragraphs.add(piece);
  }

  /** Adds the row that has come, as often as it comes; true when the batch is full: then it has to be called once more. */
  repeat(): boolean {
    while (this.#rowsLeft > 0) {
      this.#rowsLeft--;
      this.rows.openRow(this.#line++, this.#isHidden);
      for (const { column, text } of this.#filled) this.rows.put(column, text);
      if (this.rows.closeRow()) return true;
    }
    return false;
  }

  #openOutside(code: number): void {
    if (code === CODES.spreadsheet) this.#spreadsheet = this.#depth;
    else if (code === CODES.table && isTable(this.#depth, this.#spreadsheet) && this.#tablesLeft-- === 0) {
      this.#within = 'table';
    }
  }

  #addColumns(tag: XmlTag): void {
    const first = this.#columns;
    this.#columns = Math.min(first + repetitions(tag.attribute('number-columns-repeated')), MOST_COLUMNS);
    if (isHidden(tag)) this.rows.hideColumns(first + 1, this.#columns);
    const style = tag.attribute('default-cell-style-name');
    for (let column = first; column < this.#columns; column++) this.#columnStyles[column] = style;
  }

  #openRow(tag: XmlTag): void {
    this.#within = 'row';
    this.#rowRepeated = repetitions(tag.attribute('number-rows-repeated'));
    this.#isHidden = isHidden(tag);
    this.#rowStyle = tag.attribute('default-cell-style-name');
    this.#column = 0;
    this.#filled = [];
  }

  #closeRow(): boolean {
    this.#within = 'table';
    if (this.#filled.length === 0) {
      this.#line += this.#rowRepeated;
      return false;
    }
    this.#countRepeated((this.#rowRepeated - 1) * this.#filled.length);
    this.#rowsLeft = this.#rowRepeated;
    return this.repeat();
  }

  #openCell(tag: XmlTag): void {
    this.#within = 'cell';
    this.#cell = readCell(tag);
    this.#paragraphs.clear();
  }

  #openInParagraph(code: number, tag: XmlTag): void {
    if (code === CODES.s) this.#paragraphs.exactly(' '.repeat(Math.min(repetitions(tag.attribute('c')), 1000)));
    else if (code === CODES.tab) this.#paragraphs.exactly('\t');
    else if (code === CODES['line-break']) this.#paragraphs.exactly('\n');
  }

  #closeCell(): void {
    this.#within = 'row';
    const cell = this.#cell!;
    const column = this.#column;
    this.#column += cell.repeated;
    const style = cell.style ?? this.#rowStyle ?? this.#columnStyles[column] ?? 'Default';
    const text = cellText(cell, this.#paragraphs.take(), this.#survey.format(style), this.#survey.is1904);
    if (text === '') {
      if (cell.hasFormula && cell.type === '') this.#noteFormula(column);
      return;
    }
    if (this.#column > MOST_COLUMNS) {
      throw new XmlError(`row ${this.#line} has more than ${MOST_COLUMNS} columns`);
    }
    this.#countRepeated(cell.repeated - 1);
    this.rows.merged.add({ column, first: this.#line, last: this.#line + cell.rows - 1 });
    for (let at = column; at < this.#column; at++) this.#filled.push({ column: at, text });
  }

  #countRepeated(cells: number): void {
    this.#repeated += cells;
    if (this.#repeated <= MOST_REPEATED) return;
    const { file, sheet } = this.#names;
    const message = `The sheet "${sheet}" of ${file} repeats rows and columns to more than ${MOST_REPEATED} cells. Delete the rows and columns behind the list, save the file and send it again.`;
    throw refusal('workbook-too-large', message, { file, sheet, limit: MOST_REPEATED });
  }

  #noteFormula(column: number): void {
    const { findings } = this.rows;
    if (findings.formulas++ === 0) findings.firstFormula = `${columnName(column)}${this.#line}`;
  }
}

/** Hidden by hand or by a filter. */
function isHidden(tag: XmlTag): boolean {
  return /^(?:collapse|filter)$/.test(tag.attribute('visibility') ?? '');
}
