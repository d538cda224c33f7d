import { cellEnd, scanQuotedCell, type Suspect } from './scan-quoted-cell.ts';
import type { ScanDialect, RowWindow, TextView } from './text-view.ts';

export type RowScan =
  /** A whole row: where its line break begins and where the next row does. */
  | { kind: 'row'; cells: string[]; end: number; next: number; suspect: Suspect | null }
  /** A quote that is never closed, and how far the scan had to look to know that. */
  | { kind: 'unclosed'; suspect: Suspect; seen: number }
  /** The window ended before the row did. */
  | { kind: 'cut'; suspect: Suspect | null };

/** Scans one row, with its quotes, lone carriage returns and the end of the text. */
export function scanRow(view: TextView, window: RowWindow, dialect: ScanDialect): RowScan {
  const { text } = view;
  const { limit, atEnd } = window;
  const { delimiter, quote } = dialect;
  const cells: string[] = [];
  let suspect: Suspect | null = null;
  let at = window.start;
  for (;;) {
    let after: number;
    if (at < limit && quote !== null && text[at] === quote) {
      const cell = scanQuotedCell(view, at, window, dialect);
      suspect ??= cell.suspect;
      if (cell.kind === 'unclosed' || (cell.kind === 'cut' && atEnd)) {
        return { kind: 'unclosed', suspect: suspect ?? { open: at, resume: limit }, seen: cell.after };
      }
      if (cell.kind === 'cut') return { kind: 'cut', suspect };
      cells.push(cell.value);
      after = cell.after;
    } else {
      after = cellEnd(view, at, limit, dialect);
      if (after === limit && !atEnd) return { kind: 'cut', suspect };
      cells.push(text.slice(at, text[after] === '\n' && after > at && text[after - 1] === '\r' ? after - 1 : after));
    }
    if (after === limit || delimiter === null || !text.startsWith(delimiter, after)) {
      return endRow(text, after, window, { cells, suspect });
    }
    at = after + delimiter.length;
  }
}

/** Ends a row at `end`, where a line break or the end of the text is. */
function endRow(
  text: string,
  end: number,
  { start, limit, atEnd }: RowWindow,
  found: { cells: string[]; suspect: Suspect | null },
): RowScan {
  if (end === limit) return { kind: 'row', ...found, end, next: limit };
  if (text[end] === '\r' && end + 1 === limit && !atEnd) return { kind: 'cut', suspect: found.suspect };
  const behindCr = text[end] === '\n' && end > start && text[end - 1] === '\r';
  const next = end + (text.startsWith('\r\n', end) ? 2 : 1);
  return { kind: 'row', ...found, end: behindCr ? end - 1 : end, next };
}
