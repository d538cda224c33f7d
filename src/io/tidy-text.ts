/** Habits of single programs that are mended in a text before it is cut into rows. */
export type Habits = {
  delimiter: string | null;
  /** Null stands for the usual one. */
  quote: string | null;
  /** `\r\r\n` is what a program leaves that writes `\r\n` as text: one line end, not two. */
  newline: string;
  /** Blanks or tabs stand before the quotes that open cells: `ATE, "disc, front"`. */
  spacedQuotes: boolean;
  /** Each line is quoted as a whole: `"ATE,""disc, front"",1"`. */
  wholeLines: boolean;
};

/** More blanks than this before a quote are no habit. */
const MOST_BLANKS = 100;
/** A longer run of quotes is no cell that begins with an escaped quote. */
const MOST_QUOTES = 9;

/** The first cell of a text begins where that of a line does. */
const LINE_BEFORE = '\n';

/** Whether a text of these habits has to be mended before it is read. */
export function needsTidying({ newline, spacedQuotes, wholeLines }: Omit<Habits, 'delimiter' | 'quote'>): boolean {
  return spacedQuotes || wholeLines || newline === '\r\r\n';
}

/** Mends a whole text. Pure. */
export function tidyText(text: string, habits: Habits): string {
  return tidyPiece(LINE_BEFORE + text, habits).slice(LINE_BEFORE.length);
}

/** Mends a piece of a text that does not end within what is mended. */
function tidyPiece(text: string, { delimiter, quote, newline, spacedQuotes, wholeLines }: Habits): string {
  const ended = newline === '\r\r\n' ? text.replaceAll('\r\r\n', '\r\n') : text;
  const lines = wholeLines ? withoutLineQuotes(ended) : ended;
  return spacedQuotes ? lines.replaceAll(spacedQuote(delimiter, quote ?? '"'), '$1$2') : lines;
}

const WHOLE_LINE = /^"((?:[^"\r\n]|"")*)"(?=\r?$)/gm;
/** A longer line is not mended. */
const LONGEST_LINE = 1024 * 1024;

/** Takes off the quotes around whole lines, and halves those within. Pure. */
export function withoutLineQuotes(text: string): string {
  return text.replaceAll(WHOLE_LINE, (_all, line: string) => line.replaceAll('""', '"'));
}

/** Whether all lines of a text that are not empty are quoted as a whole. Pure. */
export function areWholeLines(text: string): boolean {
  const lines = text.split(/[\r\n]+/).filter((line) => line !== '');
  return lines.length > 1 && lines.every((line) => /^"(?:[^"]|"")*"$/.test(line));
}

/** Mends a text that comes in pieces; the result does not depend on how it was cut. */
export async function* tidyTexts(pieces: AsyncIterable<string>, habits: Habits): AsyncGenerator<string> {
  const mark = escaped(habits.quote ?? '"');
  const unfinished = new RegExp(
    `\\r{0,2}${cellEnd(habits.delimiter)}${blank(habits.delimiter)}{0,${MOST_BLANKS}}${mark}{0,${MOST_QUOTES + 1}}\\r{0,2}$`,
    'u',
  );
  let held = LINE_BEFORE;
  let added = LINE_BEFORE.length;
  for await (const piece of pieces) {
    const text = held + piece;
    const tail = text.slice(-MOST_BLANKS - MOST_QUOTES - 10);
    const finished = text.length - tail.length + (unfinished.exec(tail)?.index ?? tail.length);
    const isOpen = habits.wholeLines && text.length < LONGEST_LINE;
    const cut = isOpen ? Math.min(finished, lastLineEnd(text)) : finished;
    held = text.slice(cut);
    if (cut === 0) continue;
    yield tidyPiece(text.slice(0, cut), habits).slice(added);
    added = 0;
  }
  if (held !== '') yield tidyPiece(held, habits).slice(added);
}

/** Where the last line end of a text begins, which may be `\r\r\n`; 0 when there is none. */
function lastLineEnd(text: string): number {
  let at = Math.max(0, text.lastIndexOf('\n'));
  while (at > 0 && text[at - 1] === '\r') at -= 1;
  return at;
}

/**
 * A quote behind blanks that opens a cell. Of several quotes in a row those behind the first are pairs that stand for one; two are an
 * empty cell, or one in the text of a cell.
 */
function spacedQuote(delimiter: string | null, quote: string): RegExp {
  const mark = escaped(quote);
  const opening = `${openingQuote(quote)}|${mark}{2}(?=${cellEnd(delimiter)}|$)`;
  return new RegExp(`(${cellEnd(delimiter)})${blank(delimiter)}{1,${MOST_BLANKS}}(${opening})`, 'gu');
}

/** Counts the quotes behind blanks that open cells, those of them that end a cell again, and those whose cells need them. Pure. */
export function countSpacedQuotes(text: string, delimiter: string, quote: string) {
  const [end, mark] = [escaped(delimiter), escaped(quote)];
  const begin = `(?<=^|[\\r\\n]|${end})${blank(delimiter)}{1,${MOST_BLANKS}}${openingQuote(quote)}`;
  const content = `(?:[^${mark}]|${mark}{2}|\\\\${mark})*`;
  const closed =
    text.match(new RegExp(`${begin}${content}${mark}${blank(delimiter)}*(?=${end}|[\\r\\n]|$)`, 'gu')) ?? [];
  return {
    opened: text.match(new RegExp(begin, 'gu'))?.length ?? 0,
    closed: closed.length,
    needed: closed.filter((cell) => cell.includes(delimiter)).length,
  };
}

/** Removes the blanks at the beginning of cells, whatever the cells are. Pure. */
export function withoutBlanks(text: string, delimiter: string): string {
  return text.replaceAll(new RegExp(`(^|[\\r\\n]|${escaped(delimiter)})${blank(delimiter)}+`, 'gu'), '$1');
}

function openingQuote(quote: string): string {
  const mark = escaped(quote);
  return `${mark}(?:${mark}{2}){0,${(MOST_QUOTES - 1) / 2}}(?!${mark})`;
}

function cellEnd(delimiter: string | null): string {
  return delimiter === null ? '[\\r\\n]' : `[\\r\\n${escaped(delimiter)}]`;
}

function blank(delimiter: string | null): string {
  return delimiter === '\t' ? ' ' : '[ \\t]';
}

/** A character as a regular expression with the flag `u` writes it. */
export function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
