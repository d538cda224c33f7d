/** How the cells of a text are written; no delimiter means one cell in each row. */
export type Layout = { delimiter: string | null; quote: string | null; escape: string | null };

export type Cell = { text: string; quoted: boolean };
export type Row = { line: number; cells: Cell[] };

/** A text cut into rows, with what the quotes in it did. */
export type Table = {
  rows: Row[];
  /** Cells with content that open with the quote and close before a delimiter or a line end, and those that open only. */
  quoted: number;
  broken: number;
  /** Of the quoted cells, those that nobody could write without quotes: they hold a delimiter, a line end or a quote. */
  needed: number;
  /** Quotes inside quoted cells without an escape. */
  stray: number;
  /** Of the quoted cells, those whose two quotes would each be a cell by itself if they were text: ditto marks. */
  alone: number;
  /** How often rows end in each way; line ends inside quoted cells do not count. */
  newlines: Map<string, number>;
};

/** The longest first; `\r\r\n` is one line end that a program wrote as text. */
const NEWLINES = ['\r\r\n', '\r\n'];

const LF = 10;
const CR = 13;

/** A quoted cell longer than this, or over more lines, is a quote that nobody closed: an inch mark. */
const MAX_QUOTED_LENGTH = 20_000;
const MAX_QUOTED_LINES = 50;
/** After so many of them the quote is no quote in this text, and looking for its partner would never end. */
const MAX_BROKEN = 50;

/** Cuts a text into at most `maxRows` rows, tolerantly: a quote that is not closed is an ordinary character. */
export function cutTable(text: string, layout: Layout, maxRows: number): Table {
  const table: Table = { rows: [], quoted: 0, needed: 0, broken: 0, stray: 0, alone: 0, newlines: new Map() };
  const [delimiter, quote] = [layout.delimiter, layout.quote].map((mark) => mark?.charCodeAt(0));
  let line = 1;
  let at = 0;
  while (at < text.length && table.rows.length < maxRows) {
    const row: Row = { line, cells: [] };
    for (;;) {
      const opens = text.charCodeAt(at) === quote && table.broken < MAX_BROKEN;
      const cell = opens ? cutQuoted(text, at, layout, table) : undefined;
      const end = cell?.end ?? cellEnd(text, at, delimiter);
      row.cells.push({ text: cell?.text ?? text.slice(at, end), quoted: cell !== undefined });
      line += cell?.lines ?? 0;
      at = end;
      if (at >= text.length || text.charCodeAt(at) !== delimiter) break;
      at += 1;
    }
    const newline = newlineAt(text, at);
    if (newline !== undefined) table.newlines.set(newline, (table.newlines.get(newline) ?? 0) + 1);
    at += newline?.length ?? 1;
    line += 1;
    table.rows.push(row);
  }
  return table;
}

/** A carriage return that ends a line by itself. */
const LONE_RETURN = /\r(?!\r?\n)/;

/** The texts of the rows that `cutTable` cuts. Where nothing is quoted they are split, which is quicker. */
export function cutRows(text: string, layout: Layout, maxRows: number): string[][] {
  const { delimiter, quote } = layout;
  const isPlain = delimiter?.length === 1 && (quote === null || !text.includes(quote)) && !LONE_RETURN.test(text);
  if (!isPlain) return cutTable(text, layout, maxRows).rows.map(({ cells }) => cells.map((cell) => cell.text));
  const lines = text.replaceAll('\r', '').split('\n', maxRows + 1);
  if (lines.at(-1) === '' || lines.length > maxRows) lines.pop();
  return lines.map((line) => line.split(delimiter));
}

/** The line end at a position; undefined at the end of the text. */
function newlineAt(text: string, at: number): string | undefined {
  return NEWLINES.find((newline) => text.startsWith(newline, at)) ?? text[at];
}

function cellEnd(text: string, start: number, delimiter: number | undefined): number {
  const stop = delimiter ?? LF;
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === stop || code === LF || code === CR) break;
  }
  return at;
}

type Quoted = { text: string; end: number; lines: number };

function cutQuoted(text: string, start: number, layout: Layout, table: Table): Quoted | undefined {
  const { delimiter, quote, escape } = layout;
  const [quoteCode, escapeCode] = [quote, escape].map((mark) => mark?.charCodeAt(0));
  let content = '';
  let from = start + 1;
  let lines = 0;
  let stray = 0;
  for (let at = start + 1; at < text.length && at - start < MAX_QUOTED_LENGTH; at += 1) {
    const code = text.charCodeAt(at);
    if (code === escapeCode && text.charCodeAt(at + 1) === quoteCode) {
      content += text.slice(from, at);
      at += 1;
      from = at;
    } else if (code === quoteCode && endsCell(text, at + 1, delimiter)) {
      content += text.slice(from, at);
      if (content !== '') table.quoted += 1;
      if (isNeeded(content, lines, layout)) table.needed += 1;
      if (isCellEdge(text[start + 1], delimiter) && isCellEdge(text[at - 1], delimiter)) table.alone += 1;
      table.stray += stray;
      return { text: content, end: skipBlanks(text, at + 1), lines };
    } else if (code === quoteCode) {
      stray += 1;
    } else if ((code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) && ++lines > MAX_QUOTED_LINES) {
      break;
    }
  }
  table.broken += 1;
  return undefined;
}

/** Whether a quoted cell that begins or ends with this character has its quote beside a delimiter or a line end. */
function isCellEdge(character: string | undefined, delimiter: string | null): boolean {
  return character === delimiter || character === '\n' || character === '\r';
}

function isNeeded(content: string, lines: number, { delimiter, quote }: Layout): boolean {
  return lines > 0 || content.includes(quote!) || (delimiter !== null && content.includes(delimiter));
}

function endsCell(text: string, at: number, delimiter: string | null): boolean {
  const next = text[skipBlanks(text, at)];
  return next === undefined || next === delimiter || next === '\n' || next === '\r';
}

function skipBlanks(text: string, at: number): number {
  while (text[at] === ' ') at += 1;
  return at;
}
