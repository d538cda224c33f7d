const BREAKS = /[\t\r\n\v\f\u0085\u2028\u2029]+/g;
const LINE_BREAK = /[^\t\f]/;

/**
 * A cell as a text of tables has it, where each line is a row: tabs are blanks, line breaks are vertical tabs, and quotes stand around a
 * cell that has any.
 */
export function writtenCell(cell: string): string {
  const text = cell.replaceAll(BREAKS, (found) => (LINE_BREAK.test(found) ? '\v' : ' '));
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The same without these quotes. */
export function unquoted(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
}
