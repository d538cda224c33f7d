import type { ScanDialect } from './text-view.ts';

/**
 * Whether a text has quotes inside cells that do not begin with one (`hose 5"`): then a quote at the beginning of a cell may
 * be as meaningless, while in a text that quotes properly there is no such quote. `firstLine`: from which line to look on.
 */
export function hasLooseQuotes(text: string, { delimiter, quote, escape }: ScanDialect, firstLine: number): boolean {
  if (quote === null || !text.includes(quote)) return false;
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  let line = 1;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    const ends = char === '\n' || char === '\r';
    if (char === '\n' || (char === '\r' && text[at + 1] !== '\n')) line += 1;
    if (line < firstLine) continue;
    if (state === 'quoted') {
      if (char === escape && escape !== quote) at += 1;
      else if (char === quote) state = 'closed';
    } else if (state === 'closed' && char === quote) state = 'quoted';
    else if (ends || (delimiter !== null && text.startsWith(delimiter, at))) state = 'start';
    else if (char === quote && state === 'start') state = 'quoted';
    else if (char === quote) return true;
    else if (state === 'start') state = 'plain';
  }
  return false;
}
