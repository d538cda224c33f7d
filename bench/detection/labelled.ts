import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canDecode, decodeBytes } from '../../src/io/text-decode.ts';

/** A file whose charset or dialect is known. */
export type Labelled = {
  kind: 'charset' | 'dialect';
  name: string;
  bytes: Buffer;
  charset: string;
  /** `prose` or `csv`. */
  domain: string;
  /** `native`, or `derived`: real words laid out as offers and written in another charset. */
  nature: string;
  delimiter: string | null;
  quote: string;
  /** A delimiter that detection knows, two columns and two rows at least. */
  offerLike: boolean;
};

type Entry = {
  path: string;
  charset: string;
  domain?: string;
  nature?: string;
  delimiter?: string;
  quote?: string;
  offer_like?: boolean;
};

/** Reads a folder with `charset/` and `dialect/`, each with a `manifest.json` that says what its files are. */
export function* labelledFiles(folder: string): Generator<Labelled> {
  for (const kind of ['charset', 'dialect'] as const) {
    const entries = JSON.parse(readFileSync(join(folder, kind, 'manifest.json'), 'utf8')) as Entry[];
    for (const entry of entries) {
      yield {
        kind,
        name: entry.path,
        bytes: readFileSync(join(folder, kind, entry.path)),
        charset: SPELLINGS[entry.charset] ?? entry.charset,
        domain: entry.domain ?? 'csv',
        nature: entry.nature ?? 'native',
        delimiter: entry.delimiter ?? null,
        quote: entry.quote ?? '',
        offerLike: entry.offer_like ?? false,
      };
    }
  }
}

/** Labels of the manifests that are spelled otherwise here. */
const SPELLINGS: Record<string, string> = {
  ascii: 'utf-8',
  'utf-8-sig': 'utf-8',
  maccyrillic: 'x-mac-cyrillic',
  macroman: 'macintosh',
  kz1048: 'kz-1048',
  'tis-620': 'windows-874',
  'iso-8859-11': 'windows-874',
  cp866: 'ibm866',
  cp850: 'ibm850',
  cp852: 'ibm852',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
};

/** The charsets that suppliers use; the others are counted apart. */
const KEY_CHARSETS =
  /^(?:utf-8|utf-16(?:le|be)?|windows-125[01247]|iso-8859-(?:1|2|5|9|15)|ibm866|koi8-[ru]|ibm85[02]|x-mac-cyrillic|gb18030|big5|shift_jis|euc-jp|euc-kr)$/;

/** Whether the charset is one that the product must know. */
export function isKeyCharset(charset: string): boolean {
  return KEY_CHARSETS.test(charset);
}

/** An answer is right when it is the label or decodes the file to the same text. */
export function isSameCharset({ bytes, charset }: Pick<Labelled, 'bytes' | 'charset'>, found: string): boolean {
  const answer = SPELLINGS[found] ?? found;
  if (answer === charset || (/^utf-(?:16|32)$/.test(charset) && answer.slice(0, -2) === charset)) return true;
  if (!canDecode(answer) || !canDecode(charset)) return false;
  return decodeBytes(bytes, answer) === decodeBytes(bytes, charset);
}
