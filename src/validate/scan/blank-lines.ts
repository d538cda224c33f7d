import type { ScanDialect } from './text-view.ts';

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;

/**
 * Finds the lines from `from` on that have only blanks and delimiters: where the last one ends, and how many there are (maybe
 * millions). A line whose end has not arrived yet, or with more than `longest` characters, is not one of them.
 */
export function skipBlankLines(
  text: string,
  from: number,
  { delimiter, newline }: ScanDialect,
  longest: number,
): { end: number; lines: number } {
  const separator = delimiter?.length === 1 ? delimiter.charCodeAt(0) : SPACE;
  let end = from;
  let lines = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === TAB || code === separator) continue;
    if ((code !== LF && code !== CR) || at - end > longest) break;
    if (code === CR) {
      const isPair = text.charCodeAt(at + 1) === LF;
      if (!isPair && (newline !== '\r' || at + 1 === text.length)) break;
      if (isPair) at += 1;
    }
    end = at + 1;
    lines += 1;
  }
  return { end, lines };
}
