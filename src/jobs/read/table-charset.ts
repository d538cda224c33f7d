import { isAscii, isUtf8 } from 'node:buffer';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { knownNames } from '../../detect/table/header-names.ts';
import { readBeginning, readPieces } from '../../io/read-pieces.ts';
import type { Format } from '../../model.ts';

/** So many bytes of texts beyond ASCII are looked at, wherever in the file they stand. */
const MOST_TEXT = 256 * 1024;
const HEAD_BYTES = 64 * 1024;
const LEAST_HEAD = 33;
const PIECE_BYTES = 1024 * 1024;

/**
 * The charset of the texts of a file with tables: as the settings say; of a format that often names none, or another one than it has
 * (DBF, SYLK), as its texts show; null where the file itself says it.
 */
export async function tableCharset(
  path: string,
  format: Format,
  { charset }: Pick<ReadSettings, 'charset'>,
): Promise<string | null> {
  if (charset !== 'auto') return charset;
  if (format !== 'dbf' && format !== 'slk') return null;
  const found = format === 'slk' ? textsOfSylk(path) : await textsInDbf(path);
  if (found === null || found.texts.length === 0) return null;
  const { texts, namesCharset } = found;
  if (isUtf8(texts)) return 'utf-8';
  const { legacyCharset } = await import('../../detect/charset/legacy.ts');
  const detected = await legacyCharset(texts, knownNames());
  return namesCharset && !detected.sure ? null : detected.charset;
}

/** Charsets that a text without their byte patterns cannot be in. */
const UNICODE = /^(?:utf|ucs)/i;

/** The charset of a text that is no Unicode: as the settings say, unless they say one, else as its words show. */
export async function charsetOfText(text: Buffer, { charset }: Pick<ReadSettings, 'charset'>): Promise<string> {
  if (charset !== 'auto' && !UNICODE.test(charset)) return charset;
  const { legacyCharset } = await import('../../detect/charset/legacy.ts');
  return (await legacyCharset(text, knownNames())).charset;
}

type Texts = { texts: Buffer; namesCharset: boolean };

async function textsInDbf(path: string): Promise<Texts | null> {
  const { rowsOfDbf, textsOfDbf } = await import('../../tables/xls/dbf.ts');
  const head = readBeginning(path, HEAD_BYTES);
  return head.length < LEAST_HEAD ? null : textsOfDbf(head, piecesOf(path, rowsOfDbf(head)), MOST_TEXT);
}

const LINE = /[^\r\n]*[\x80-\xff][^\r\n]*/g;

/** The lines that are no ASCII. */
function textsOfSylk(path: string): Texts {
  const found: string[] = [];
  let bytes = 0;
  for (const piece of piecesOf(path, 0)) {
    if (isAscii(piece)) continue;
    for (const [line] of piece.toString('latin1').matchAll(LINE)) {
      found.push(line);
      bytes += line.length;
      if (bytes >= MOST_TEXT) return textsIn(found);
    }
  }
  return textsIn(found);
}

function textsIn(lines: string[]): Texts {
  return { texts: Buffer.from(lines.join('\n'), 'latin1'), namesCharset: false };
}

function* piecesOf(path: string, from: number): Generator<Buffer> {
  for (let at = from; ; at += PIECE_BYTES) {
    const [piece] = readPieces(path, [at], PIECE_BYTES);
    if (piece!.length > 0) yield piece!;
    if (piece!.length < PIECE_BYTES) return;
  }
}
