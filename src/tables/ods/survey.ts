import type { XmlHandler } from '../package/xml/scanner.ts';
import type { XmlTag } from '../package/xml/tag.ts';
import { PLAIN, type NumberFormat } from '../sheet/number-format.ts';
import type { TableInfo } from '../table-file.ts';
import { CODES } from './codes.ts';
import { NumberStyles } from './number-styles.ts';

const MOST_SHEETS = 10_000;
const MOST_STYLES = 65_536;
/** A style takes what it lacks from another one, and that from the next. */
const MOST_PARENTS = 20;

type CellStyle = { parent: string | null; numbers: string | null };

/** Reads what a document has beside its cells: its tables, their styles, and when its time begins. */
export class Survey implements XmlHandler {
  readonly tables: TableInfo[] = [];
  is1904 = false;
  isSpreadsheet = false;
  readonly #numbers = new NumberStyles();
  readonly #cells = new Map<string, CellStyle>();
  readonly #hidden = new Set<string>();
  readonly #formats = new Map<string, NumberFormat>();
  #tableStyle = '';
  #depth = 0;
  #spreadsheet = 0;

  open(code: number, tag: XmlTag): void {
    this.#depth++;
    if (code === 0) return;
    if (code === CODES.spreadsheet) {
      this.#spreadsheet = this.#depth;
      this.isSpreadsheet = true;
    } else if (code === CODES.table) {
      if (isTable(this.#depth, this.#spreadsheet) && this.tables.length < MOST_SHEETS) this.#table(tag);
    } else if (code === CODES.style) this.#style(tag);
    else if (code === CODES['table-properties']) {
      if (tag.attribute('display') === 'false') this.#hidden.add(this.#tableStyle);
    } else if (code === CODES['null-date']) this.is1904 = tag.attribute('date-value') === '1904-01-01';
    else this.#numbers.open(code, tag);
  }

  close(code: number): boolean {
    this.#depth--;
    if (code === CODES.spreadsheet) this.#spreadsheet = 0;
    else if (code !== 0) this.#numbers.close(code);
    return false;
  }

  wantsText(): boolean {
    return this.#numbers.wantsText;
  }

  text(piece: string): void {
    this.#numbers.text(piece);
  }

  /** What the number format of a style of cells means. */
  format(style: string): NumberFormat {
    const known = this.#formats.get(style);
    if (known !== undefined) return known;
    let at = this.#cells.get(style);
    for (let parents = 0; at?.numbers === null && parents < MOST_PARENTS; parents++) {
      at = at.parent === null ? undefined : this.#cells.get(at.parent);
    }
    const numbers = at?.numbers ?? null;
    const format = numbers === null ? PLAIN : this.#numbers.format(numbers);
    this.#formats.set(style, format);
    return format;
  }

  #table(tag: XmlTag): void {
    const name = tag.attribute('name') ?? `Sheet${this.tables.length + 1}`;
    this.tables.push({ name: name.slice(0, 255), hidden: this.#hidden.has(tag.attribute('style-name') ?? '') });
  }

  #style(tag: XmlTag): void {
    const name = tag.attribute('name') ?? '';
    const family = tag.attribute('family');
    if (family === 'table') this.#tableStyle = name;
    if (family !== 'table-cell' || this.#cells.size >= MOST_STYLES) return;
    const parent = tag.attribute('parent-style-name') ?? null;
    this.#cells.set(name, { parent, numbers: tag.attribute('data-style-name') ?? null });
  }
}

/** Whether a table at this depth is one of the spreadsheet itself: sources of other files and shapes have tables, too. */
export function isTable(depth: number, spreadsheet: number): boolean {
  return spreadsheet > 0 && depth === spreadsheet + 1;
}
