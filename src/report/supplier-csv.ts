import { decodeBytes, encodeBytes } from '../io/text-decode.ts';
import type { Detection } from '../model.ts';
import { csvReport } from './csv.ts';
import type { ReportInput } from './input.ts';

/** How a CSV is written for people at the supplier's end: as the supplier's own file was. */
export type CsvDialect = { charset: string; delimiter: string };

/** What the CSV of every report is; no other one is worth writing. */
const USUAL: CsvDialect = { charset: 'utf-8', delimiter: ',' };

/** Signs of ours that many charsets lack; none becomes a double quote, which would end a cell. */
const PLAIN: Record<string, string> = {
  '“': "'",
  '”': "'",
  '„': "'",
  '‘': "'",
  '’': "'",
  '—': '-',
  '–': '-',
  '…': '...',
  '→': '->',
};
const TYPOGRAPHY = /[“”„‘’—–…→]/g;

const UNICODE = /^utf-/i;

/** The charset and delimiter of the supplier's text; null where they are those of every report, and for other formats. */
export function csvDialect({ format, charset, delimiter }: Detection): CsvDialect | null {
  const dialect = { charset: charset.toLowerCase(), delimiter: delimiter ?? USUAL.delimiter };
  const isUsual = dialect.charset === USUAL.charset && dialect.delimiter === USUAL.delimiter;
  return format !== 'text' || isUsual ? null : dialect;
}

/**
 * The CSV of a report in the supplier's charset and delimiter, in pieces: the same columns and rows. Unicode begins with a byte order
 * mark, without which spreadsheets take it for something else. Throws `Unencodable` when the charset lacks a character.
 */
export async function* supplierCsv(input: ReportInput, { charset, delimiter }: CsvDialect): AsyncGenerator<Uint8Array> {
  for await (const text of csvReport(input, delimiter)) {
    yield UNICODE.test(charset) ? encodeBytes(text, charset) : encoded(text.replace(/^\uFEFF/, ''), charset);
  }
}

/** A charset lacks a character that the report has. */
export class Unencodable extends Error {}

function encoded(text: string, charset: string): Uint8Array {
  const bytes = encodeBytes(text, charset);
  if (decodeBytes(bytes, charset) === text) return bytes;
  const plain = text.replaceAll(TYPOGRAPHY, (sign) => PLAIN[sign] ?? sign);
  const again = encodeBytes(plain, charset);
  if (decodeBytes(again, charset) !== plain) throw new Unencodable();
  return again;
}
