const ESCAPE = /_x([\dA-Fa-f]{4})_/g;
const ESCAPE_LENGTH = 7;
const BLANKS_BEFORE = /^[ \t\r\n]+/;

/**
 * Gathers the text of a string or of an inline string from its runs; what tells how it is read aloud is left out. No more
 * is kept than a cell may have, however long the text is: `cellLength` and one character.
 */
export class RichText {
  readonly #most: number;
  #text = '';
  #run = '';
  #isPreserved = false;
  #phonetic = false;
  #inRun = false;

  constructor(cellLength: number) {
    this.#most = cellLength + 1;
  }

  /** Whether text that comes now belongs to it. */
  get isOpen(): boolean {
    return this.#inRun;
  }

  clear(): void {
    this.#text = '';
    this.#inRun = false;
    this.#phonetic = false;
  }

  openRun(isPreserved: boolean): void {
    if (this.#phonetic) return;
    this.#inRun = true;
    this.#isPreserved = isPreserved;
    this.#run = '';
  }

  add(text: string): void {
    if (this.#run.length < this.#most * ESCAPE_LENGTH) this.#run += text;
  }

  closeRun(): void {
    if (!this.#inRun) return;
    this.#inRun = false;
    // Blanks around a text are layout; those between its runs count, although some writers forget to say so.
    const run = this.#isPreserved || this.#text !== '' ? this.#run : this.#run.replace(BLANKS_BEFORE, '');
    if (this.#text.length < this.#most) this.#text += unescapeText(run);
  }

  phonetic(isOpen: boolean): void {
    this.#phonetic = isOpen;
  }

  /** The text as far as a cell may be long. */
  take(): string {
    const text = this.#isPreserved ? this.#text : withoutBlanksBehind(this.#text);
    return text.length > this.#most ? text.slice(0, this.#most) : text;
  }
}

function withoutBlanksBehind(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
  return end === text.length ? text : text.slice(0, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

/** A text with the characters that XML cannot hold, which writers spell `_x000D_`. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replaceAll(ESCAPE, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .toWellFormed();
}
