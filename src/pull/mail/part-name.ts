import { decodeWords } from 'postal-mime';
import { canDecode, decodeBytes } from '../../io/text-decode.ts';
import { foreignText } from '../../wording/foreign-text.ts';

/** What a mail says of one of its parts; `disposition` is how it is to be shown. */
export type PartFacts = { name: string; type: string; disposition: string | undefined };

/** The extensions of the files that lists are in, by type. */
const EXTENSION_OF = new Map([
  ['text/csv', 'csv'],
  ['text/x-csv', 'csv'],
  ['text/comma-separated-values', 'csv'],
  ['application/csv', 'csv'],
  ['text/tab-separated-values', 'tsv'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/msexcel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.ms-excel.sheet.macroenabled.12', 'xlsm'],
  ['application/vnd.ms-excel.sheet.binary.macroenabled.12', 'xlsb'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['application/json', 'json'],
  ['application/zip', 'zip'],
  ['application/x-zip-compressed', 'zip'],
  ['application/gzip', 'gz'],
  ['application/x-gzip', 'gz'],
]);

/** Parts that people read, and what belongs to them. */
const NO_FILE = /^(?:text\/(?:plain|html|calendar)|image\/.*|.*signature)$/u;

/**
 * What the file of a part is called, or why it is not taken; undefined for what people read, and for pictures and signatures without
 * a name. A list without a name is called after its type.
 */
export function fileOf(facts: PartFacts): { name: string } | { why: string } | undefined {
  const { type, disposition } = facts;
  const name = tidyName(facts.name);
  if (type === 'application/applefile' || name.startsWith('._')) {
    const of = name === '' ? '' : ` of ${foreignText(name.replace(/^\._/u, ''), 60)}`;
    return { why: `has the resource fork${of} beside it, which only a Macintosh reads` };
  }
  if (name !== '') return { name };
  const extension =
    EXTENSION_OF.get(type) ?? (type === 'text/plain' && disposition === 'attachment' ? 'txt' : undefined);
  if (extension !== undefined) return { name: `unnamed.${extension}` };
  if (disposition !== 'attachment' && NO_FILE.test(type)) return undefined;
  return { why: `has an attachment without a name (${foreignText(type, 60)}): ask the supplier to name it` };
}

/** A name without blanks around it, folds of its header and encoded words that are left in it. */
export function tidyName(written: string): string {
  const name = written.slice(0, LONGEST_WRITTEN);
  return (name.includes('=?') ? decodeWords(name) : name).replaceAll(/[\r\n\t]+/gu, ' ').trim();
}

/** Characters of a name, encoded or not. */
const LONGEST_WRITTEN = 10_000;

/** The name in the header of a part whose program wrote it as raw bytes, in whatever charset they are. */
export function rawName(header: Buffer): string | undefined {
  const text = header.toString('latin1').replaceAll(/\r?\n(?=[ \t])/gu, '');
  const [, quoted, bare] = /\b(?:file)?name="?(?:(?<=")([^"]*)"|([^\s;"]+))/iu.exec(text) ?? [];
  const written = quoted ?? bare;
  return written === undefined ? undefined : tidyName(decodeName(Buffer.from(written, 'latin1')));
}

const CYRILLIC = /[\xC0-\xFF]{3}/u;

/** A name in raw bytes: UTF-8 where they are that; else letters in a row are Cyrillic, and single ones those of western Europe. */
export function decodeName(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes).toString('latin1');
  const isUtf8 = !Buffer.from(bytes).toString('utf8').includes('\uFFFD');
  const charset = isUtf8 ? 'utf-8' : CYRILLIC.test(latin1) ? 'windows-1251' : 'windows-1252';
  return decodeBytes(bytes, canDecode(charset) ? charset : 'utf-8');
}
