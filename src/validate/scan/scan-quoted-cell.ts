import type { ScanDialect, RowWindow, TextView } from './text-view.ts';

/** A quoted cell that spans a line end: the likeliest culprit when its row never ends. */
export type Suspect = {
  /** Where its opening quote is. */
  open: number;
  /** Where the line after it begins. */
  resume: number;
};

export type QuotedCell = {
  /** `cut`: the window ended first. `unclosed`: the opening quote cannot be one. */
  kind: 'closed' | 'cut' | 'unclosed';
  value: string;
  /** How far the scan looked: the first character after the cell and the blanks that follow its closing quote. */
  after: number;
  suspect: Suspect | null;
};

/**
 * Scans a cell that begins with a quote at `open`. It may have line breaks or stray quotes (`"5" hose"`), but not both: then
 * its opening quote was never closed, and a quote of another row only seemed to end it. A cell that merely begins with a
 * quoted word (`"Lada" filter`) is text. A quote by itself is a ditto mark if the next one opens a cell (`",1,"Pads, front"`).
 */
export function scanQuotedCell(view: TextView, open: number, window: RowWindow, dialect: ScanDialect): QuotedCell {
  const { text } = view;
  const { limit, atEnd } = window;
  const lineEnd = view.rowBreak(open);
  let value = '';
  let from = open + 1;
  let at = from;
  let strays = false;
  for (;;) {
    const escape = view.escape(at);
    const stop = Math.min(view.quote(at), escape, limit);
    const broken = lineEnd < stop && (lineEnd + 1 < limit || atEnd);
    if (strays && (broken || (stop === limit && atEnd))) {
      return textCell(view, open, Math.min(lineEnd, limit), dialect) ?? cell('unclosed', Math.min(lineEnd + 1, limit));
    }
    if (broken && !window.multiline) return cell('unclosed', lineEnd + 1);
    if (stop === limit || (stop + 1 === limit && !atEnd)) return cell('cut', limit);
    if (isEscaped(text, stop, limit, dialect)) {
      value += text.slice(from, stop) + text[stop + 1]!;
      from = at = stop + 2;
      continue;
    }
    at = stop + 1;
    if (stop === escape) continue;
    const after = skipBlanks(text, at, limit, dialect);
    if (after === limit && !atEnd) return cell('cut', limit);
    if (strays && endsCell(text, open + 1, dialect)) {
      return lineEnd < limit || atEnd ? cell('unclosed', Math.min(lineEnd + 1, limit)) : cell('cut', limit);
    }
    if (after === limit || endsCell(text, after, dialect)) return cell('closed', after, value + text.slice(from, stop));
    if (lineEnd < stop) return cell('unclosed', after);
    strays = true;
  }

  function cell(kind: QuotedCell['kind'], after: number, value = ''): QuotedCell {
    const resume = lineEnd + (text.startsWith('\r\n', lineEnd) ? 2 : 1);
    return { kind, value, after, suspect: lineEnd < after ? { open, resume } : null };
  }
}

/** The cell as plain text, if its quotes come in pairs up to its end; else null. */
function textCell(view: TextView, open: number, lineEnd: number, dialect: ScanDialect): QuotedCell | null {
  const after = cellEnd(view, open, lineEnd, dialect);
  const written = view.text.slice(open, after);
  if (written.split(dialect.quote ?? '').length % 2 === 0) return null;
  const value = after === lineEnd && written.endsWith('\r') ? written.slice(0, -1) : written;
  return { kind: 'closed', value, after, suspect: null };
}

/** Where an unquoted cell ends: at a delimiter, at the end of the row, or at `limit`. */
export function cellEnd(view: TextView, from: number, limit: number, { delimiter }: ScanDialect): number {
  const end = Math.min(view.rowBreak(from), limit);
  if (delimiter === null) return end;
  const { text } = view;
  const first = delimiter.charCodeAt(0);
  for (let at = from; at < end; at += 1) {
    if (text.charCodeAt(at) === first && text.startsWith(delimiter, at)) return at;
  }
  return end;
}

/** Whether the quote or escape at `at` makes the next character text. */
function isEscaped(text: string, at: number, limit: number, { quote, escape }: ScanDialect): boolean {
  if (at + 1 >= limit) return false;
  const next = text[at + 1];
  if (escape === null || escape === quote) return next === quote;
  return text[at] === escape && (next === quote || next === escape);
}

/** Blanks between a closing quote and the end of its cell mean nothing; a `\r` before `\n` is passed over with them. */
function skipBlanks(text: string, from: number, limit: number, { delimiter, newline }: ScanDialect): number {
  let at = from;
  while (at < limit) {
    const char = text[at];
    const blank = char === ' ' || char === '\t' || (char === '\r' && newline !== '\r');
    if (!blank || char === delimiter) break;
    at += 1;
  }
  return at;
}

function endsCell(text: string, at: number, { delimiter, newline }: ScanDialect): boolean {
  const char = text[at];
  if (char === '\n' || (char === '\r' && newline === '\r')) return true;
  return delimiter !== null && text.startsWith(delimiter, at);
}
