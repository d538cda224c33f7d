import type { XmlTag } from '../package/xml/tag.ts';
import type { DateParts } from '../sheet/date-text.ts';
import { parseFormat, PLAIN, type NumberFormat } from '../sheet/number-format.ts';
import { CODES } from './codes.ts';

/** Digits' places of a pattern; more are of no part number. */
const MOST_PLACES = 40;
const MOST_STYLES = 65_536;

/** A style of numbers: what it means, and the style for numbers above zero where there is another one. */
type NumberStyle = { format: NumberFormat; positive: string | null };

type Pattern = { code: string; zeros: number; decimals: number; embedded: Map<number, string>; isPlain: boolean };

/** Reads the styles of numbers and dates of a document: `0000000` is a number with at least seven digits. */
export class NumberStyles {
  readonly #styles = new Map<string, NumberStyle>();
  #name = '';
  #kind = 0;
  #positive: string | null = null;
  #parts: DateParts = { date: false, time: false, elapsed: false };
  #pattern = emptyPattern();
  /** What a text that comes now is: a literal, or one within the digits with so many digits behind it. */
  #literal: 'no' | 'beside' | number = 'no';

  /** Whether text that comes now belongs to a style. */
  get wantsText(): boolean {
    return this.#literal !== 'no';
  }

  open(code: number, tag: XmlTag): void {
    if (code === CODES['number-style'] || code === CODES['date-style'] || code === CODES['time-style']) {
      this.#begin(code, tag);
    } else if (this.#kind === 0) return;
    else if (code === CODES.number) this.#number(tag);
    else if (code === CODES.text) this.#literal = 'beside';
    else if (code === CODES['embedded-text']) this.#literal = wholeNumber(tag.attribute('position'), 0);
    else if (code === CODES['scientific-number']) this.#scientific(tag);
    else if (code === CODES.fraction) this.#pattern.isPlain = true;
    else if (code === CODES.map) this.#map(tag);
    else if (code === CODES.year || code === CODES.month || code === CODES.day) this.#parts.date = true;
    else if (code === CODES.hours || code === CODES.minutes || code === CODES.seconds) this.#parts.time = true;
  }

  text(piece: string): void {
    const pattern = this.#pattern;
    const text = piece.slice(0, MOST_PLACES);
    if (this.#literal === 'beside') {
      if (pattern.code.length < MOST_PLACES * 2) pattern.code += quoted(text);
    } else if (typeof this.#literal === 'number' && pattern.embedded.size < MOST_PLACES) {
      pattern.embedded.set(this.#literal, (pattern.embedded.get(this.#literal) ?? '') + text);
    }
  }

  close(code: number): void {
    if (this.#kind === 0) return;
    if (code === CODES.text || code === CODES['embedded-text']) this.#literal = 'no';
    else if (code === CODES.number) this.#pattern.code += digits(this.#pattern);
    else if (code === this.#kind) this.#end();
  }

  /** What a style means; nothing when the document has none of this name. */
  format(name: string): NumberFormat {
    const style = this.#styles.get(name);
    if (style === undefined) return PLAIN;
    const positive = style.positive === null ? undefined : this.#styles.get(style.positive);
    return (positive ?? style).format;
  }

  #begin(kind: number, tag: XmlTag): void {
    this.#kind = kind;
    this.#name = tag.attribute('name') ?? '';
    this.#positive = null;
    this.#pattern = emptyPattern();
    this.#parts = { date: false, time: false, elapsed: tag.attribute('truncate-on-overflow') === 'false' };
  }

  #number(tag: XmlTag): void {
    const pattern = this.#pattern;
    const decimals = wholeNumber(tag.attribute('decimal-places'), 0);
    const least = wholeNumber(tag.attribute('min-decimal-places'), decimals);
    if (least < decimals || tag.attribute('grouping') === 'true') pattern.isPlain = true;
    pattern.decimals = Math.min(decimals, MOST_PLACES);
    pattern.zeros = Math.min(wholeNumber(tag.attribute('min-integer-digits'), 1), MOST_PLACES);
  }

  #scientific(tag: XmlTag): void {
    const decimals = Math.min(wholeNumber(tag.attribute('decimal-places'), 0), MOST_PLACES);
    const exponent = Math.min(wholeNumber(tag.attribute('min-exponent-digits'), 1), MOST_PLACES);
    this.#pattern.code += `0.${'0'.repeat(decimals)}E+${'0'.repeat(exponent)}`;
  }

  #map(tag: XmlTag): void {
    if (/^\s*value\(\)\s*>=?\s*0\s*$/.test(tag.attribute('condition') ?? '')) {
      this.#positive = tag.attribute('apply-style-name') ?? null;
    }
  }

  #end(): void {
    const isNumber = this.#kind === CODES['number-style'];
    if (this.#styles.size < MOST_STYLES) {
      const format = isNumber ? numberFormat(this.#pattern) : dateFormat(this.#parts);
      this.#styles.set(this.#name, { format, positive: this.#positive });
    }
    this.#kind = 0;
    this.#literal = 'no';
  }
}

function emptyPattern(): Pattern {
  return { code: '', zeros: 1, decimals: 0, embedded: new Map(), isPlain: false };
}

function numberFormat({ code, isPlain }: Pattern): NumberFormat {
  return isPlain ? PLAIN : parseFormat(code);
}

function dateFormat(parts: DateParts): NumberFormat {
  if (!parts.date && !parts.time) return PLAIN;
  return { kind: 'date', parts: { ...parts, elapsed: parts.elapsed && !parts.date } };
}

/** The places of digits, with the texts among them. */
function digits({ zeros, decimals, embedded }: Pattern): string {
  const places = Math.min(Math.max(zeros, ...[...embedded.keys()].map((at) => at + 1)), MOST_PLACES);
  let code = '';
  for (let behind = places - 1; behind >= 0; behind--) {
    code += behind < zeros ? '0' : '#';
    code += quoted(behind === 0 ? '' : (embedded.get(behind) ?? ''));
  }
  return decimals === 0 ? code : `${code}.${'0'.repeat(decimals)}`;
}

function quoted(text: string): string {
  return text === '' ? '' : `"${text.replaceAll('"', '')}"`;
}

function wholeNumber(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
}
