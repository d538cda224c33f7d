import { getFileNameLowLevel, type Entry } from 'yauzl';
import { decodeBytes } from '../../io/text-decode.ts';

const UTF8_FLAG = 0x800;
const UNICODE_PATH_FIELD = 0x7075;

/** The name of a zip entry: UTF-8 where the archive says so, else the charset of the packer's country, guessed. */
export function entryName(entry: Entry): string {
  const raw = entry.fileNameRaw;
  const isMarked = (entry.generalPurposeBitFlag & UTF8_FLAG) !== 0;
  if (isMarked || entry.extraFields.some((field) => field.id === UNICODE_PATH_FIELD)) {
    return getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, false);
  }
  return legacyName(raw).replaceAll('\\', '/');
}

/** Without the flag, Windows packers in Russia write ibm866, some windows-1251, many others UTF-8 all the same. */
function legacyName(raw: Buffer): string {
  const utf8 = decodeBytes(raw, 'utf-8');
  if (!utf8.includes('\uFFFD')) return utf8;
  const readings = ['ibm866', 'windows-1251'].map((charset) => decodeBytes(raw, charset));
  const cyrillic = readings.toSorted((a, b) => oddCharacters(a) - oddCharacters(b))[0]!;
  return oddCharacters(cyrillic) === 0 && !isMixed(cyrillic) ? cyrillic : decodeBytes(raw, 'cp437');
}

/** Whether one or two Cyrillic letters touch Latin ones: those are Latin letters with accents, read in another charset. */
function isMixed(name: string): boolean {
  return /(?<![а-яА-Я])[а-яА-Я]{1,2}[A-Za-z]|[A-Za-z][а-яА-Я]{1,2}(?![а-яА-Я])/.test(name);
}

function oddCharacters(name: string): number {
  return name.replaceAll(/[\u0020-\u007eа-яА-Я№]/g, '').length;
}
