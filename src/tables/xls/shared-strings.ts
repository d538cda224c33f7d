/** Flags of a string: two bytes for each character; something about how it is read aloud; formats of its runs. */
const [WIDE, PHONETIC, RICH] = [1, 4, 8];
const RUN_BYTES = 4;
/** How many strings there are, said twice. */
const HEAD_BYTES = 8;

/**
 * Reads the table of strings of Excel 97 and later from its record and those that continue it. SheetJS looks through the
 * list of continuations for each character: tables of some MB take it minutes. Runs are joined, and what tells how a text is
 * read aloud is left out. The last string of a table that is cut may be short.
 */
export function readSharedStrings(records: Buffer[]): string[] {
  const reader = new StringReader(records);
  const strings: string[] = [];
  reader.skip(HEAD_BYTES);
  while (!reader.isOver) strings.push(reader.read());
  return strings;
}

class StringReader {
  readonly #records: Buffer[];
  #index = 0;
  #at = 0;

  constructor(records: Buffer[]) {
    this.#records = records;
  }

  get isOver(): boolean {
    while (this.#index < this.#records.length && this.#left === 0) this.#next();
    return this.#index >= this.#records.length;
  }

  get #left(): number {
    return this.#records[this.#index]!.length - this.#at;
  }

  skip(bytes: number): void {
    for (let left = bytes; left > 0 && !this.isOver;) {
      const step = Math.min(left, this.#left);
      this.#at += step;
      left -= step;
    }
  }

  read(): string {
    let characters = this.#number(2);
    let flags = this.#number(1);
    const runs = (flags & RICH) > 0 ? this.#number(2) : 0;
    const phonetic = (flags & PHONETIC) > 0 ? this.#number(4) : 0;
    let text = '';
    for (;;) {
      const width = (flags & WIDE) > 0 ? 2 : 1;
      const count = this.#index < this.#records.length ? Math.min(characters, Math.floor(this.#left / width)) : 0;
      if (count > 0) text += this.#text(count * width, width);
      characters -= count;
      if (characters <= 0) break;
      this.#next();
      if (this.isOver) break;
      // Where a text goes on, its first byte says again how wide its characters are.
      flags = this.#number(1);
    }
    this.skip(runs * RUN_BYTES + phonetic);
    return text;
  }

  #text(bytes: number, width: number): string {
    const from = this.#at;
    this.#at += bytes;
    return this.#records[this.#index]!.toString(width === 2 ? 'utf16le' : 'latin1', from, this.#at);
  }

  /** A number of so many bytes; what is cut off counts as zero. */
  #number(bytes: number): number {
    let number = 0;
    for (let at = 0; at < bytes && !this.isOver; at++) number += this.#records[this.#index]![this.#at++]! * 256 ** at;
    return number;
  }

  #next(): void {
    this.#index++;
    this.#at = 0;
  }
}
