/** Characters of a line before it counts as one that has no end: it is decoded as it comes then. */
const LONG = 4096;
/** Lines that are shorter than these have nothing that tells them from words. */
const NARROW = 40;
/** The least length of a line by which the middle of a file is told from a footer. */
const LEAST_WHOLE = 16;
/** Lines that may be words of a footer, and are kept until what follows tells. */
const MOST_HELD = 20;

const LINE = /^[A-Za-z0-9+/]+(?:={1,3})?$/;
const WORD = /^[A-Z]?[a-z]{3,29}$/;
/** Several units with padding of their own. */
const UNITS = /[A-Za-z0-9+/]+={0,2}/gu;
const BEGINNING = /^[A-Za-z0-9+/]*/;

/** A damaged line, counted from 1. */
type Refuse = (line: number) => Error;

/**
 * Decodes base64 piece by piece, as mail programs and what stands on the way of a mail leave it: lines of any length, each with
 * padding of its own or not, and a footer of a virus scanner or a mailing list behind the last one, which is left out. Throws what
 * `refuse` makes of a line that is no base64 and has base64 behind it, or of an end in the middle of a byte.
 */
export class Base64Decoder {
  readonly #refuse: Refuse;
  #line = '';
  /** The line is longer than any that counts as one, and decoded as it comes. */
  #isLong = false;
  #number = 1;
  #decoded: Buffer[] = [];
  /** Symbols that are not decoded yet. */
  #symbols = '';
  #hasData = false;
  /** The longest line, and the one before. */
  #width = 0;
  #last = 0;
  /** Lines went on after a shorter one, and after padding. */
  #isIrregular = false;
  #isPadded = false;
  #isPaddedEach = false;
  #held: string[] = [];
  /** The first line that is no base64. */
  #junk = 0;

  constructor(refuse: Refuse) {
    this.#refuse = refuse;
  }

  /** Takes the next piece, and gives what is decoded so far. */
  write(piece: Uint8Array): Buffer {
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1');
    let at = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      this.#add(text.slice(at, end));
      this.#endLine();
      at = end + 1;
    }
    this.#add(text.slice(at));
    return this.#taken();
  }

  /** Gives the rest. */
  end(): Buffer {
    this.#endLine();
    if (this.#isHeldData()) this.#release();
    if (this.#symbols.length % 4 === 1 || (this.#junk > 0 && !this.#hasData)) {
      throw this.#refuse(this.#junk > 0 ? this.#junk : this.#number);
    }
    this.#flush();
    return this.#taken();
  }

  /** A word behind a last line that shows itself as such is no part of the file. */
  #isHeldData(): boolean {
    const { length } = this.#held.join('');
    if (this.#isPadded) return this.#isPaddedEach && length % 4 === 0;
    const completes = (this.#symbols.length + length) % 4 === 0 || this.#symbols.length % 4 > 0;
    return completes && (this.#isIrregular || this.#last === this.#width);
  }

  #add(text: string): void {
    if (this.#isLong) return this.#goOn(text);
    this.#line += text;
    if (this.#junk > 0) this.#line = this.#line.slice(0, LONG);
    if (this.#line.length <= LONG) return;
    const line = this.#line.trimStart();
    this.#isLong = true;
    this.#line = '';
    this.#release();
    this.#width = Math.max(this.#width, LONG);
    this.#last = LONG;
    this.#goOn(line);
  }

  /** A line that is longer than others: what is base64 of it counts. */
  #goOn(text: string): void {
    if (this.#junk > 0) return;
    let at = 0;
    while (at < text.length) {
      const [symbols = ''] = BEGINNING.exec(text.slice(at)) ?? [];
      this.#take(symbols);
      if (symbols !== '') this.#isPadded = false;
      at += symbols.length;
      const sign = text[at];
      if (sign === '=') {
        this.#isPadded = true;
        this.#flush();
      } else if (sign !== undefined && sign.trim() !== '') {
        this.#junk = this.#number;
        return;
      }
      at += 1;
    }
  }

  #endLine(): void {
    if (!this.#isLong) this.#lineOf(this.#line.trim());
    this.#line = '';
    this.#isLong = false;
    this.#number += 1;
  }

  #lineOf(line: string): void {
    if (line === '') return;
    const joined = line.split(' ');
    if (joined.length > 1 && joined.every(isLine)) {
      for (const one of joined) this.#lineOf(one);
      return;
    }
    const isBase64 = LINE.test(line);
    if (this.#junk > 0) {
      if (isBase64 && this.#isWhole(line)) throw this.#refuse(this.#junk);
      return;
    }
    if (!isBase64) {
      this.#endAt(line);
      return;
    }
    if (this.#mayBeWord(line) && this.#held.length < MOST_HELD) {
      this.#held.push(line);
      return;
    }
    if (this.#isPadded && !this.#goesOn(line)) {
      this.#junk = this.#number;
      return;
    }
    this.#release();
    this.#data(line);
  }

  /** True for a line that only the middle of a file has. */
  #isWhole({ length }: string): boolean {
    if (!this.#hasData) return length >= NARROW;
    return length >= LEAST_WHOLE && (length === this.#width || length === this.#last);
  }

  /** True where a line follows one with padding because every line has its own. */
  #goesOn(line: string): boolean {
    const { length } = line;
    return this.#isPaddedEach || length === this.#last || length === this.#width || line.endsWith('=');
  }

  #mayBeWord(line: string): boolean {
    if (this.#width < NARROW || !WORD.test(line)) return false;
    if (this.#isPadded || this.#last < this.#width) return true;
    // A last line is seldom nothing but small letters, unless it is short.
    return line.length % 4 === 1 || line.length >= 8;
  }

  /** The first line that is not base64 alone: what of it belongs to the file is before its own padding. */
  #endAt(line: string): void {
    const units = line.match(UNITS) ?? [];
    if (units.join('') === line && units.every(({ length }) => length % 4 === 0)) {
      this.#release();
      for (const unit of units) this.#data(unit);
      return;
    }
    const [symbols = ''] = BEGINNING.exec(line) ?? [];
    const padding = line.startsWith('==', symbols.length) ? 2 : line[symbols.length] === '=' ? 1 : 0;
    const isEnd = padding > 0 && (this.#symbols.length + symbols.length + padding) % 4 === 0;
    this.#held = [];
    this.#junk = this.#number;
    if (isEnd) {
      this.#data(symbols);
      this.#flush();
    } else if (this.#looksDamaged(line)) throw this.#refuse(this.#number);
  }

  /** True for a line of the file in which a sign or two are wrong. */
  #looksDamaged(line: string): boolean {
    if (this.#isPadded || this.#last < this.#width || line.length < 8 || /\s/u.test(line)) return false;
    const wrong = line.replaceAll(/[A-Za-z0-9+/=]/gu, '').length;
    return wrong <= 2 && (line.length === this.#width || /[^=]={1,2}$/u.test(line));
  }

  #release(): void {
    for (const line of this.#held) this.#data(line);
    this.#held = [];
  }

  #data(line: string): void {
    const end = line.indexOf('=');
    if (this.#isPadded) this.#isPaddedEach = true;
    else if (this.#last < this.#width) this.#isIrregular = true;
    this.#width = Math.max(this.#width, line.length);
    this.#last = line.length;
    this.#isPadded = end >= 0;
    this.#take(end < 0 ? line : line.slice(0, end));
    if (end >= 0) this.#flush();
  }

  #take(symbols: string): void {
    if (symbols === '') return;
    this.#hasData = true;
    this.#symbols += symbols;
    // Not a joined text of all pieces, which would be flattened at once.
    if (this.#symbols.length >= LONG) this.#decode(this.#symbols.length - (this.#symbols.length % 4));
  }

  /** Ends a unit: what is left over of it are bytes without padding. */
  #flush(): void {
    if (this.#symbols.length % 4 === 1) throw this.#refuse(this.#number);
    this.#decode(this.#symbols.length);
  }

  #decode(length: number): void {
    if (length > 0) this.#decoded.push(Buffer.from(this.#symbols.slice(0, length), 'base64'));
    this.#symbols = this.#symbols.slice(length);
  }

  #taken(): Buffer {
    const decoded = this.#decoded;
    this.#decoded = [];
    return decoded.length === 1 ? decoded[0]! : Buffer.concat(decoded);
  }
}

/** True for each of several lines that a blank joined. */
function isLine(text: string, at: number, { length }: string[]): boolean {
  return LINE.test(text) && (text.length >= NARROW || at === length - 1);
}
