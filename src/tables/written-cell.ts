const BREAKS = /[\t\r\n\v\f\u0085\u2028\u2029]+/g;

/** A cell as a text of tables has it: line breaks and tabs are blanks, and quotes stand around a cell that has any. */
export function writtenCell(cell: string): string {
  const text = cell.replaceAll(BREAKS, ' ');
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The same without these quotes. */
export function unquoted(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
}
