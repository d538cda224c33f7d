import { escaped } from '../../io/tidy-text.ts';
import type { ScanOptions } from './scan-rows.ts';
import type { ScanDialect } from './text-view.ts';

/** Replaces line ends in a text that comes in pieces; each answer is null when that could change how the text is cut into cells. */
export type LineEnds = { push: (piece: string) => string | null; end: () => string | null };

/** Longer lines with quotes are left to the scanner: the expression for whole lines goes through them step by step. */
const LONGEST_QUOTED = 100_000;

/** Writes LF in place of the CR at the ends of lines. A line with quotes must be whole cells, and no other LF may be in the text. */
export function createLineEnds(dialect: ScanDialect, { rowLength }: ScanOptions): LineEnds {
  const { quote } = dialect;
  const wholeLine = wholeLineOf(dialect);
  let held = '';
  return {
    push: (piece) => {
      if (piece.includes('\n')) return null;
      const text = held + piece;
      const end = text.lastIndexOf('\r') + 1;
      held = text.slice(end);
      return held.length > rowLength ? null : replaced(text.slice(0, end));
    },
    end: () => replaced(held),
  };

  function replaced(text: string): string | null {
    if (quote !== null && text.includes(quote)) {
      const lines = text.split('\r').filter((line) => line.includes(quote));
      const isWhole = (line: string) => line.length <= LONGEST_QUOTED && wholeLine?.test(line) === true;
      if (!lines.every(isWhole)) return null;
    }
    return text.replaceAll('\r', '\n');
  }
}

/** Cells that have quotes around them, doubled ones inside, or do not begin with one; null where quotes mean something else. */
function wholeLineOf({ delimiter, quote, escape }: ScanDialect): RegExp | null {
  if (delimiter === null || quote === null || (escape !== null && escape !== quote)) return null;
  const [end, mark] = [escaped(delimiter), escaped(quote)];
  const cell = `(?:${mark}(?:[^${mark}]|${mark}{2})*${mark}|(?![ \\t]*${mark})[^${end}]*)`;
  return new RegExp(`^${cell}(?:${end}${cell})*$`, 'u');
}
