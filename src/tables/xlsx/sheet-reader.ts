import type { TableLimits } from '../table-file.ts';
import { readNumber, readReference, type Reference } from './cells/cell-reference.ts';
import { cellText, type CellContext, type CellType } from './cells/cell-text.ts';
import { RichText } from './cells/rich-text.ts';
import { RowBuilder, type SheetNames } from '../sheet/row-builder.ts';
import { columnName } from '../sheet/sheet-findings.ts';
import { XmlError } from '../package/xml/xml-error.ts';
import type { XmlHandler } from '../package/xml/scanner.ts';
import type { XmlTag } from '../package/xml/tag.ts';

/** The elements of a sheet that its cells are made of. */
export const SHEET_CODES = {
  worksheet: 1,
  sheetData: 2,
  row: 3,
  c: 4,
  v: 5,
  f: 6,
  is: 7,
  t: 8,
  rPh: 9,
  col: 10,
  mergeCell: 11,
} as const;

const CELL_TYPES = new Map<string, CellType>([
  ['n', 'number'],
  ['s', 'shared'],
  ['str', 'text'],
  ['inlineStr', 'text'],
  ['b', 'boolean'],
  ['e', 'error'],
  ['d', 'date'],
]);

const ESCAPE_LENGTH = 7;
const [LETTER_R, LETTER_S, LETTER_T] = [114, 115, 116];

/** Reads cells from what a scanner tells of a sheet, and has `rows` put them into rows. */
export class SheetReader implements XmlHandler {
  readonly rows: RowBuilder;
  readonly #context: CellContext;
  readonly #longest: number;
  readonly #inline: RichText;
  readonly #reference: Reference = { column: 0, row: 0 };
  /** The innermost element that matters. */
  #within: 'nothing' | 'sheet' | 'data' | 'row' | 'cell' = 'nothing';
  #hasNumber = false;
  #column = -1;
  #type: CellType = 'number';
  #style = 0;
  #value = '';
  #inValue = false;
  #hasValue = false;
  #hasFormula = false;
  #inInline = false;

  constructor(names: SheetNames, limits: TableLimits, context: CellContext) {
    this.rows = new RowBuilder(names, limits);
    this.#context = context;
    this.#longest = limits.cellLength * ESCAPE_LENGTH;
    this.#inline = new RichText(limits.cellLength);
  }

  open(code: number, tag: XmlTag): void {
    if (this.#within === 'cell') this.#openInCell(code, tag);
    else if (this.#within === 'row') {
      if (code === SHEET_CODES.c) this.#openCell(tag);
    } else if (this.#within === 'data') {
      if (code === SHEET_CODES.row) this.#openRow(tag);
    } else if (this.#within === 'sheet') {
      if (code === SHEET_CODES.sheetData) this.#within = 'data';
      else if (code === SHEET_CODES.col && isTrue(tag.attribute('hidden'))) {
        this.rows.hideColumns(Number(tag.attribute('min')), Number(tag.attribute('max')));
      } else if (code === SHEET_CODES.mergeCell) this.#addMerged(tag.attribute('ref') ?? '');
    } else if (code === SHEET_CODES.worksheet) this.#within = 'sheet';
    else throw new XmlError('there is no sheet of cells');
  }

  close(code: number): boolean {
    if (this.#within === 'cell') {
      if (code === SHEET_CODES.c) this.#closeCell();
      else if (code === SHEET_CODES.v) this.#inValue = false;
      else this.#closeInline(code);
    } else if (this.#within === 'row') {
      if (code !== SHEET_CODES.row) return false;
      this.#within = 'data';
      return this.rows.closeRow();
    } else if (code === SHEET_CODES.sheetData && this.#within === 'data') this.#within = 'sheet';
    return false;
  }

  wantsText(): boolean {
    return this.#inValue || this.#inline.isOpen;
  }

  text(piece: string): void {
    if (!this.#inValue) this.#inline.add(piece);
    else if (this.#value === '') this.#value = piece;
    else if (this.#value.length <= this.#longest) this.#value += piece;
  }

  #openRow(tag: XmlTag): void {
    this.#within = 'row';
    this.#column = -1;
    const number = tag.attribute('r');
    this.#hasNumber = number !== undefined;
    const line = number === undefined ? null : readNumber(number, 0, number.length);
    if (line !== null && line < 1) throw new XmlError(`"${number?.slice(0, 20)}" is no number of a row`);
    this.rows.openRow(line, isTrue(tag.attribute('hidden')));
  }

  #openCell(tag: XmlTag): void {
    const { text } = tag;
    this.#within = 'cell';
    this.#column++;
    this.#type = 'number';
    this.#style = 0;
    this.#value = '';
    this.#hasValue = false;
    this.#hasFormula = false;
    this.#inline.clear();
    for (let index = 0; index < tag.count; index++) {
      const key = tag.keyStarts[index]!;
      if (tag.keyEnds[index] !== key + 1) continue;
      const from = tag.starts[index]!;
      const end = tag.ends[index]!;
      const letter = text.charCodeAt(key);
      if (letter === LETTER_R) this.#moveTo(text, from, end);
      else if (letter === LETTER_S) this.#style = readNumber(text, from, end);
      else if (letter === LETTER_T) this.#type = typeOf(text, from, end);
    }
  }

  #moveTo(text: string, from: number, end: number): void {
    const reference = this.#reference;
    if (!readReference(text, from, end, reference)) {
      throw new XmlError(`"${text.slice(from, Math.min(end, from + 20))}" in row ${this.rows.line} is no cell`);
    }
    this.#column = reference.column;
    if (!this.#hasNumber) this.rows.moveTo(reference.row);
  }

  /** `B2:B5`: they follow the cells. What is no range is passed over. */
  #addMerged(range: string): void {
    const colon = range.indexOf(':');
    const [from, to] = [
      { column: 0, row: 0 },
      { column: 0, row: 0 },
    ];
    if (colon < 0 || !readReference(range, 0, colon, from) || !readReference(range, colon + 1, range.length, to))
      return;
    this.rows.merged.add({ column: from.column, first: from.row, last: to.row });
  }

  #openInCell(code: number, tag: XmlTag): void {
    if (code === SHEET_CODES.v) {
      this.#inValue = true;
      this.#hasValue = true;
    } else if (code === SHEET_CODES.f) this.#hasFormula = true;
    else if (code === SHEET_CODES.is) this.#inInline = true;
    else if (this.#inInline) {
      if (code === SHEET_CODES.t) this.#inline.openRun(tag.attribute('space') === 'preserve');
      else if (code === SHEET_CODES.rPh) this.#inline.phonetic(true);
    }
  }

  #closeInline(code: number): void {
    if (code === SHEET_CODES.t) this.#inline.closeRun();
    else if (code === SHEET_CODES.rPh) this.#inline.phonetic(false);
    else if (code === SHEET_CODES.is) this.#inInline = false;
  }

  #closeCell(): void {
    this.#within = 'row';
    this.#inValue = false;
    const value = this.#value;
    if (value !== '') this.rows.put(this.#column, cellText(this.#type, value, this.#style, this.#context));
    else {
      if (this.#hasFormula && !(this.#hasValue && this.#type === 'text')) this.#noteFormula();
      this.rows.put(this.#column, this.#inline.take());
    }
  }

  #noteFormula(): void {
    const { findings, line } = this.rows;
    if (findings.formulas++ === 0) findings.firstFormula = `${columnName(this.#column)}${line}`;
  }
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

/** Most cells name their type by one letter. */
function typeOf(text: string, from: number, end: number): CellType {
  if (end - from === 1) {
    const letter = text.charCodeAt(from);
    if (letter === LETTER_S) return 'shared';
  }
  return CELL_TYPES.get(text.slice(from, end)) ?? 'text';
}
