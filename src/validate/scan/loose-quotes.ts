import type { ScanDialect } from './text-view.ts';

/**
 * Whether a text has quotes inside cells that do not begin with one (`hose 5"`). If so, a quote at the beginning of a cell may
 * be just as meaningless; a text that quotes properly has no such quotes. `firstLine` is the line where the search begins.
 */
export function hasLooseQuotes(text: string, dialect: ScanDialect, firstLine: number): boolean {
  const { quote } = dialect;
  if (quote === null) return false;
  const begin = startOfLine(text, firstLine);
  for (let at = text.indexOf(quote, begin); at !== -1;) {
    if (at !== begin && !endsCell(text, at - 1, dialect)) return true;
    at = text.indexOf(quote, endOfQuoted(text, at + 1, dialect));
  }
  return false;
}

/** Lines end with LF, CR LF or a lone CR; the end of the text when there are not as many. */
function startOfLine(text: string, line: number): number {
  const ends = /\r\n?|\n/g;
  for (let before = line; before > 1; before -= 1) if (ends.exec(text) === null) return text.length;
  return ends.lastIndex;
}

function endsCell(text: string, at: number, { delimiter }: ScanDialect): boolean {
  return text[at] === '\n' || text[at] === '\r' || (delimiter !== null && text.startsWith(delimiter, at));
}

/** Where the cell ends whose quote opens before `start`; a quote after a closing one opens it again. */
function endOfQuoted(text: string, start: number, dialect: ScanDialect): number {
  const [quote, escape] = [dialect.quote!, dialect.escape];
  const isDoubled = escape === null || escape === quote;
  let isOpen = true;
  for (let at = start; at < text.length; at += 1) {
    if (isOpen && isDoubled) {
      at = text.indexOf(quote, at);
      if (at === -1) break;
    }
    const character = text[at];
    if (isOpen && !isDoubled && character === escape) at += 1;
    else if (character === quote) isOpen = !isOpen;
    else if (!isOpen && endsCell(text, at, dialect)) return at;
  }
  return text.length;
}
