const LF = 10;
const CR = 13;

/** The number of line breaks (`\r\n`, `\n`, lone `\r`) in a chunk of text that does not end between `\r` and `\n`. */
export function countBreaks(text: string, from: number, to: number): number {
  let breaks = 0;
  for (let at = from; at < to; at += 1) {
    const char = text.charCodeAt(at);
    if (char === LF || (char === CR && (at + 1 === to || text.charCodeAt(at + 1) !== LF))) breaks += 1;
  }
  return breaks;
}

/** Where the line after the next line break begins, or -1 when the text ends first (or right behind a `\r`). */
export function nextLine(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === LF) return at + 1;
    if (char === CR && at + 1 < text.length) return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
  }
  return -1;
}
