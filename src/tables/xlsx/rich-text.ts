const ESCAPE = /_x([\dA-Fa-f]{4})_/g;
const ESCAPE_LENGTH = 7;
const BLANKS_AROUND = /^[ \t\r\n]+|[ \t\r\n]+$/g;

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
    this.#inRun = !this.#phonetic;
    this.#isPreserved = isPreserved;
    this.#run = '';
  }

  add(text: string): void {
    if (this.#run.length < this.#most * ESCAPE_LENGTH) this.#run += text;
  }

  closeRun(): void {
    if (!this.#inRun) return;
    this.#inRun = false;
    const run = this.#isPreserved ? this.#run : trimmed(this.#run);
    if (this.#text.length < this.#most) this.#text += unescapeText(run);
  }

  phonetic(isOpen: boolean): void {
    this.#phonetic = isOpen;
  }

  /** The text as far as a cell may be long. */
  take(): string {
    return this.#text.length > this.#most ? this.#text.slice(0, this.#most) : this.#text;
  }
}

/** Without `xml:space="preserve"`, blanks around a run are only layout of the document. */
function trimmed(text: string): string {
  const [first, last] = [text.charCodeAt(0), text.charCodeAt(text.length - 1)];
  return first <= 32 || last <= 32 ? text.replaceAll(BLANKS_AROUND, '') : text;
}

/** A text with the characters that XML cannot hold, which writers spell `_x000D_`. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replaceAll(ESCAPE, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .toWellFormed();
}
