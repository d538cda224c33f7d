import type { Detection, Dialect, Format } from '../../model.ts';
import { readingName } from './side-by-side.ts';

/** How a delivery is written, as users see it: without the evidence, and without what says nothing of its format. */
export function dialectOf({ format, parts, charset, bom, delimiter, quote, newline, header }: Detection): Dialect {
  if (format === 'text') return { format, sheet: null, charset, bom, delimiter, quote, newline, header };
  const [only, ...others] = parts;
  const sheet = others.length > 0 ? null : (only?.sheet ?? null);
  return { format, sheet, charset: null, bom: false, delimiter: null, quote: null, newline: null, header };
}

/** What people call a format. */
export const FORMAT_NAMES: Record<Format, string> = {
  text: 'text',
  xlsx: 'Excel workbook (XLSX)',
  xls: 'Excel workbook (XLS)',
  xlsb: 'binary Excel workbook (XLSB)',
  dbf: 'dBase table (DBF)',
  slk: 'spreadsheet in SYLK (SLK)',
  ods: 'OpenDocument spreadsheet (ODS)',
  xml: 'XML document',
  json: 'JSON document',
  html: 'web page',
  files: 'several files',
};

/** In a few words how a delivery is written: `windows-1251, delimiter ";"`, `XML document`. */
export function writtenAs(detection: Detection): string {
  return detection.format === 'text' ? readingName(detection) : FORMAT_NAMES[detection.format];
}

const NEWLINES: Record<string, string> = { '\r\n': 'CRLF', '\n': 'LF', '\r': 'CR' };
const DELIMITERS: Record<string, string> = { '\t': 'tab', ' ': 'space' };

/** A dialect in words, for people. */
export function dialectText({ format, sheet, charset, bom, delimiter, quote, newline, header }: Dialect): string {
  const head = header ? 'with header' : 'without header';
  if (format !== 'text' || charset === null || newline === null) {
    return [FORMAT_NAMES[format], ...(sheet === null ? [] : [`sheet “${sheet}”`]), head].join(', ');
  }
  return [
    `${charset}${bom ? ' with BOM' : ''}`,
    delimiter === null ? 'one column' : `delimiter ${DELIMITERS[delimiter] ?? `“${delimiter}”`}`,
    quote === null ? 'no quotes' : `quote “${quote}”`,
    `lines end with ${NEWLINES[newline] ?? JSON.stringify(newline)}`,
    head,
  ].join(', ');
}
