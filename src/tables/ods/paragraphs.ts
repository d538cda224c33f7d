const BLANKS = /[ \t\r\n]+/g;

/**
 * Gathers the text of a cell from its paragraphs, one line each. Blanks count as OpenDocument counts them: several are one, and
 * none at the ends of a paragraph, unless they are written as elements. No more is kept than a cell may have and one character.
 */
export class Paragraphs {
  readonly #most: number;
  #text = '';
  #count = 0;
  /** A blank that counts when more text follows in the paragraph. */
  #blank = false;
  #isEmpty = true;

  constructor(cellLength: number) {
    this.#most = cellLength + 1;
  }

  clear(): void {
    this.#text = '';
    this.#count = 0;
  }

  openParagraph(): void {
    if (this.#count++ > 0) this.#append('\n');
    this.#blank = false;
    this.#isEmpty = true;
  }

  /** Text as it is written. */
  add(piece: string): void {
    const text = piece.replaceAll(BLANKS, ' ');
    const from = text.startsWith(' ') ? 1 : 0;
    const end = text.endsWith(' ') ? text.length - 1 : text.length;
    if (from === 1) this.#blank ||= !this.#isEmpty;
    if (from >= text.length || end <= from) return;
    this.exactly(text.slice(from, end));
    this.#blank = end < text.length;
  }

  /** Text that counts as it is. */
  exactly(text: string): void {
    if (this.#blank) this.#append(' ');
    this.#blank = false;
    this.#isEmpty = false;
    this.#append(text);
  }

  take(): string {
    return this.#text.length > this.#most ? this.#text.slice(0, this.#most) : this.#text;
  }

  #append(text: string): void {
    if (this.#text.length < this.#most) this.#text += text;
  }
}
