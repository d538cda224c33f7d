import { isAscii, isUtf8 } from 'node:buffer';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { unfinishedBytes } from '../../detect/charset/utf8.ts';
import { knownNames } from '../../detect/table/header-names.ts';
import { readBeginning } from '../../io/read-pieces.ts';
import type { Format } from '../../model.ts';

const SAMPLE_BYTES = 256 * 1024;

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
  const { textsOfDbf } = await import('../../tables/xls/dbf.ts');
  const beginning = readBeginning(path, SAMPLE_BYTES);
  const found = format === 'slk' ? { texts: beginning, namesCharset: false } : textsOfDbf(beginning);
  if (found === null || isAscii(found.texts)) return null;
  const { texts, namesCharset } = found;
  if (isUtf8(texts.subarray(0, texts.length - unfinishedBytes(texts)))) return 'utf-8';
  const { legacyCharset } = await import('../../detect/charset/legacy.ts');
  const detected = await legacyCharset(texts, knownNames());
  return namesCharset && !detected.sure ? null : detected.charset;
}
