import type { ScanDialect } from '../../../validate/scan/text-view.ts';

/** How cells are written that are put behind those of another file. */
export type CellDialect = {
  delimiter: string;
  quote: string;
  escape: string | null;
};

/** Bytes that are written as they are, in a charset that agrees with ASCII. */
export type SafeBytes = Uint8Array;

const BREAKS = /[\r\n\v\f\u0085\u2028\u2029]+/g;

/** How a file with this dialect has more cells; one without a delimiter gets a tab. */
export function cellDialect({ delimiter, quote, escape }: ScanDialect): CellDialect {
  const mark = quote ?? '"';
  return { delimiter: delimiter ?? '\t', quote: mark, escape: escape === mark ? null : escape };
}

/** A cell as it is written in a dialect. `breaks`: those in it stay, else they become blanks, as nothing may begin a line. */
export function writtenIn({ delimiter, quote, escape }: CellDialect, cell: string, breaks: 'kept' | 'blanks'): string {
  const text = breaks === 'kept' ? cell : cell.replaceAll(BREAKS, ' ');
  const isPlain =
    !text.includes(delimiter) &&
    !text.includes(quote) &&
    !/[\r\n]/.test(text) &&
    (escape === null || !text.includes(escape));
  if (isPlain) return text;
  if (escape === null) return `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;
  return `${quote}${text.replaceAll(escape, escape + escape).replaceAll(quote, escape + quote)}${quote}`;
}

/** Which bytes of a cell can be copied into a file with a dialect; `isUtf8`: also those beyond ASCII. */
export function safeBytes({ delimiter, quote, escape }: CellDialect, isUtf8: boolean): SafeBytes {
  const odd = new Set([delimiter, quote, escape, '\r', '\n', '\v', '\f']);
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    byte < 0x80 ? Number(!odd.has(String.fromCharCode(byte))) : Number(isUtf8),
  );
}
