/** Habits of single programs that are mended in a text before it is cut into rows. */
export type Habits = {
  delimiter: string | null;
  /** `\r\r\n` is what a program leaves that writes `\r\n` as text: one line end, not two. */
  newline: string;
  /** Blanks stand before the quotes that open cells: `ATE, "disc, front"`. */
  spacedQuotes: boolean;
};

/** More blanks than this before a quote are no habit. */
const MOST_BLANKS = 100;

/** The first cell of a text begins where that of a line does. */
const LINE_BEFORE = '\n';

/** Whether a text of these habits has to be mended before it is read. */
export function needsTidying({ newline, spacedQuotes }: Habits): boolean {
  return spacedQuotes || newline === '\r\r\n';
}

/** Mends a whole text. Pure. */
export function tidyText(text: string, habits: Habits): string {
  return tidyPiece(LINE_BEFORE + text, habits).slice(LINE_BEFORE.length);
}

/** Mends a piece of a text that does not end within what is mended. */
function tidyPiece(text: string, { delimiter, newline, spacedQuotes }: Habits): string {
  const lines = newline === '\r\r\n' ? text.replaceAll('\r\r\n', '\r\n') : text;
  return spacedQuotes ? lines.replaceAll(spacedQuote(delimiter), '$1"') : lines;
}

/** Mends a text that comes in pieces; the result does not depend on how it was cut. */
export async function* tidyTexts(pieces: AsyncIterable<string>, habits: Habits): AsyncGenerator<string> {
  const unfinished = new RegExp(`\\r{0,2}${cellEnd(habits.delimiter)} {0,${MOST_BLANKS}}"{0,2}\\r{0,2}$`, 'u');
  let held = LINE_BEFORE;
  let added = LINE_BEFORE.length;
  for await (const piece of pieces) {
    const text = held + piece;
    const tail = text.slice(-MOST_BLANKS - 10);
    const cut = text.length - tail.length + (unfinished.exec(tail)?.index ?? tail.length);
    held = text.slice(cut);
    if (cut === 0) continue;
    yield tidyPiece(text.slice(0, cut), habits).slice(added);
    added = 0;
  }
  if (held !== '') yield tidyPiece(held, habits).slice(added);
}

/** A quote behind blanks that opens a cell; two quotes are an empty cell, or a quote in the text of one. */
function spacedQuote(delimiter: string | null): RegExp {
  const end = cellEnd(delimiter);
  return new RegExp(`(${end}) {1,${MOST_BLANKS}}"(?!"(?!${end}|$))`, 'gu');
}

function cellEnd(delimiter: string | null): string {
  return delimiter === null ? '[\\r\\n]' : `[\\r\\n${escaped(delimiter)}]`;
}

/** A character as a regular expression with the flag `u` writes it. */
export function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
