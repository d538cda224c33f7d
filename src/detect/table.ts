/** How the cells of a text are written, as far as a table needs to know. */
export type Layout = { delimiter: string; quote: string | null };

export type Cell = { text: string; quoted: boolean };
export type Row = { line: number; cells: Cell[] };

/** A text cut into rows, with what the quotes in it did. */
export type Table = {
  rows: Row[];
  /** Cells with content that open with the quote and close before a delimiter or a line end, and those that open only. */
  quoted: number;
  broken: number;
  /** Quotes inside quoted cells, doubled or behind a backslash. */
  doubled: number;
  backslashed: number;
};

/** A quoted cell longer than this, or over more lines, is a quote that nobody closed: an inch mark. */
const MAX_QUOTED_LENGTH = 20_000;
const MAX_QUOTED_LINES = 50;

/** Cuts a text into at most `maxRows` rows, tolerantly: a quote that is not closed is an ordinary character. */
export function cutTable(text: string, { delimiter, quote }: Layout, maxRows: number): Table {
  const table: Table = { rows: [], quoted: 0, broken: 0, doubled: 0, backslashed: 0 };
  let line = 1;
  let at = 0;
  while (at < text.length && table.rows.length < maxRows) {
    const row: Row = { line, cells: [] };
    for (;;) {
      const cell = quote !== null && text[at] === quote ? cutQuoted(text, at, delimiter, quote, table) : undefined;
      const end = cell?.end ?? cellEnd(text, at, delimiter);
      row.cells.push({ text: cell?.text ?? text.slice(at, end), quoted: cell !== undefined });
      line += cell?.lines ?? 0;
      at = end;
      if (at >= text.length || text[at] !== delimiter) break;
      at += 1;
    }
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    line += 1;
    table.rows.push(row);
  }
  return table;
}

function cellEnd(text: string, start: number, delimiter: string): number {
  let at = start;
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}

type Quoted = { text: string; end: number; lines: number };

function cutQuoted(text: string, start: number, delimiter: string, quote: string, table: Table): Quoted | undefined {
  let content = '';
  let lines = 0;
  let doubled = 0;
  let backslashed = 0;
  for (let at = start + 1; at < text.length && at - start < MAX_QUOTED_LENGTH; at += 1) {
    const character = text[at]!;
    if (character === quote && text[at + 1] === quote) {
      doubled += 1;
      at += 1;
    } else if (character === '\\' && text[at + 1] === quote && !endsCell(text, at + 2, delimiter)) {
      backslashed += 1;
      at += 1;
    } else if (character === quote && endsCell(text, at + 1, delimiter)) {
      if (content !== '') table.quoted += 1;
      table.doubled += doubled;
      table.backslashed += backslashed;
      return { text: content, end: skipBlanks(text, at + 1), lines };
    } else if (isLineEnd(text, at) && ++lines > MAX_QUOTED_LINES) {
      break;
    }
    content += text[at]!;
  }
  table.broken += 1;
  return undefined;
}

function endsCell(text: string, at: number, delimiter: string): boolean {
  const next = text[skipBlanks(text, at)];
  return next === undefined || next === delimiter || next === '\n' || next === '\r';
}

function skipBlanks(text: string, at: number): number {
  while (text[at] === ' ') at += 1;
  return at;
}

function isLineEnd(text: string, at: number): boolean {
  return text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n');
}
