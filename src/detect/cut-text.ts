import { OfferlineError } from '../errors.ts';
import { own } from '../io/dictionary.ts';
import { decodeBytes } from '../io/text-decode.ts';
import { charsetOf } from './charset/charset.ts';
import { isReadable, type DetectedCharset } from './charset/charsets.ts';
import type { Scan } from './charset/scan.ts';
import { AUTO, type Hints } from './hints.ts';
import { writtenTable, type DetectedTable } from './table/best-table.ts';
import type { HeaderNames } from './table/header-names.ts';
import { bestTableOf } from './table/spaced-quotes.ts';
import type { Table } from './table/table.ts';

/** The beginning of a text, decoded and cut into rows and cells in the most likely way. */
export type Cut = { charset: DetectedCharset; best: DetectedTable; spacedQuotes: boolean; wholeLines: boolean };

/**
 * Cuts the beginning of a text as the hints say, else as its bytes show. Throws `usage` for a charset that does not exist or a delimiter of
 * several characters.
 */
export function cutText(scan: Scan, hints: Hints, names: HeaderNames): Promise<Cut> {
  return hints.table === undefined ? tableInText(scan, hints, names) : tableAsText(scan, hints.table);
}

/** Finds how a supplier's text is written. */
async function tableInText(scan: Scan, hints: Hints, names: HeaderNames): Promise<Cut> {
  const charset = await charsetOf(scan, names, { set: explicit(hints.charset), likely: hints.likelyCharset });
  const text = beginning(scan, charset);
  const set = explicitDelimiter(hints.delimiter) ?? declaredDelimiter(text);
  return { charset, ...(await bestTableOf(text, set, names)) };
}

/** A text that `writeTable` wrote. */
function tableAsText(scan: Scan, { parts, evidence }: NonNullable<Hints['table']>): Promise<Cut> {
  const charset = { charset: 'utf-8', bom: false, sure: true, confidence: 1, evidence };
  return Promise.resolve({
    charset,
    best: writtenTable(beginning(scan, charset), parts[1]?.line ?? Infinity),
    spacedQuotes: false,
    wholeLines: false,
  });
}

function explicit(setting: string | undefined): string | undefined {
  return setting === undefined || setting === AUTO ? undefined : setting;
}

/** Delimiters that are hard to see may be written as a word. */
const DELIMITER_WORDS: Record<string, string> = { tab: '\t', '\\t': '\t', comma: ',', semicolon: ';', pipe: '|' };

function explicitDelimiter(setting: string | undefined): string | undefined {
  const delimiter = explicit(setting);
  const character = delimiter === undefined ? undefined : (own(DELIMITER_WORDS, delimiter.toLowerCase()) ?? delimiter);
  if (character === undefined || character.length === 1) return character;
  throw new OfferlineError('usage', `The delimiter "${character}" is not valid. Give one character, or "tab".`);
}

/** Excel writes and obeys a first line such as `sep=;`. */
function declaredDelimiter(text: string): string | undefined {
  return /^"?sep=([!-/:-@[-`{-~\t])"?\r?\n/i.exec(text)?.[1];
}

/** The decoded beginning of the file, without a byte order mark and without a last line that is cut. */
function beginning(scan: Scan, { charset }: DetectedCharset): string {
  const decoded = isReadable(charset) ? decodeBytes(scan.head, charset) : '';
  const text = decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
  if (scan.head.length === scan.bytes) return text;
  const lastLine = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return lastLine < 0 ? text : text.slice(0, lastLine + 1);
}

/** The end of most lines, and what is said where there are others. */
export function newlineOf({ newlines }: Table): { newline: string; evidence: string[] } {
  const used = [...newlines].sort(([, a], [, b]) => b - a);
  const [newline] = used[0] ?? ['\n'];
  const mixed = used.map(([end, count]) => `${JSON.stringify(end)} ${count} times`).join(', ');
  return { newline, evidence: used.length > 1 ? [`Line ends are mixed: ${mixed}.`] : [] };
}
