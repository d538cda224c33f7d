import { canDecode } from '../../io/text-decode.ts';
import type { Finding } from '../read/problem.ts';
import type { Config, FeedConfig } from '../schema/schema.ts';

/** iconv-lite lists these among its charsets, but they are no charsets of text files. */
const NOT_TEXT = /^(base64|hex|binary|utf-?7(-?imap)?|unicode11utf7|_.*)$/iu;

/** A charset that is not `auto` must be one that can be read. */
export function charsetsAreKnown(config: Config): Finding[] {
  return dialectsIn(config).flatMap(({ path, dialect: { charset } }) => {
    const known = charset === 'auto' || (canDecode(charset) && !NOT_TEXT.test(charset));
    if (known) return [];
    const message = `unknown charset "${charset}"; write auto, or a name such as utf-8, windows-1251, ibm866, koi8-r, gb18030`;
    return [{ path: [...path, 'charset'], message }];
  });
}

/** A delimiter that is not `auto` must be one character that cannot be part of a value's plain text. */
export function delimitersAreUsable(config: Config): Finding[] {
  return dialectsIn(config).flatMap(({ path, dialect: { delimiter } }) => {
    if (delimiter === 'auto' || /^[^\p{L}\p{N}\s"'\\.]$|^\t$/u.test(delimiter)) return [];
    const message = `${JSON.stringify(delimiter)} cannot delimit cells; write auto, tab, or one character such as ";" "," "|"`;
    return [{ path: [...path, 'delimiter'], message }];
  });
}

/** How the files of feeds are written, and those that are joined to them. */
function dialectsIn({ feeds }: Config): { path: string[]; dialect: FeedConfig['dialect'] }[] {
  return Object.entries(feeds).flatMap(([name, { dialect, join }]) => {
    const partners = Object.entries(join?.partners ?? {}).map(([role, partner]) => ({
      path: ['feeds', name, 'join', 'partners', role, 'dialect'],
      dialect: partner.dialect,
    }));
    return [{ path: ['feeds', name, 'dialect'], dialect }].concat(partners);
  });
}

/** Whoever takes several numbers of a cell says what parts them; a cell that holds two values has one number. */
export function numberSettings(config: Config): Finding[] {
  return Object.entries(config.feeds).flatMap(([feed, { numbers }]) => {
    const message = numbers === undefined ? null : numberMessage(numbers);
    return message === null ? [] : [{ path: ['feeds', feed, 'numbers'], message }];
  });
}

function numberMessage({ take, separator, split, strip }: NonNullable<FeedConfig['numbers']>): string | null {
  const isStripOnly = take === undefined && split === undefined && separator === undefined && strip !== undefined;
  if (strip !== undefined && (strip.prefix ?? []).length + (strip.suffix ?? []).length === 0)
    return 'strip says nothing: write prefix or suffix with what is taken off numbers';
  if (isStripOnly) return null;
  if (take === undefined && split === undefined) return 'say what the cells hold: take: each, first or whole, or split';
  if (take !== undefined && split !== undefined)
    return 'take and split cannot both be set: a cell that is split holds one number';
  const marks = typeof separator === 'string' ? [separator] : (separator ?? []);
  const torn = marks.find((mark) => /^[\p{L}\p{N}]+$/u.test(mark));
  if (torn !== undefined)
    return `separator "${torn}" would part numbers that have it in them; write the mark between them, or a word with blanks around it`;
  if (take === undefined || take === 'whole' || separator !== undefined) return null;
  return `take: ${take} needs what parts the numbers, such as separator: ","`;
}

/** What parts the tags of a file is no letter, digit or quote: tags have these in them. */
export function tagMarks(config: Config): Finding[] {
  return Object.entries(config.feeds).flatMap(([feed, { tags }]) => {
    if (tags.separator === undefined || !/[\p{L}\p{N}"]/u.test(tags.separator)) return [];
    const message = `${JSON.stringify(tags.separator)} stands in tags; write the mark between them, such as "," or "|"`;
    return [{ path: ['feeds', feed, 'tags', 'separator'], message }];
  });
}

/** The character between tags must not be one that ends or quotes the cell. */
export function tagSeparator({ offer }: Config): Finding[] {
  const path = ['offer', 'tagSeparator'];
  if (/[\t\r\n"]/u.test(offer.tagSeparator)) {
    return [{ path, message: 'a tab, a line break or a quote cannot separate tags; write one such as "," or "|"' }];
  }
  const hasList = Object.values(offer.columns).some(({ list }) => list);
  if (offer.layout !== 'csv' || !hasList || offer.tagSeparator !== offer.delimiter) return [];
  const message = `"${offer.tagSeparator}" already delimits the cells (offer.delimiter); choose another tagSeparator such as "|", or another delimiter`;
  return [{ path, message }];
}

/** A pattern for entries is matched against paths inside an archive, which neither start at a root nor climb. */
export function entriesAreInside(config: Config): Finding[] {
  return Object.entries(config.feeds).flatMap(([name, { entry, entries }]) => {
    const globs: [string | number, string][] =
      typeof entries !== 'object' ? [] : Array.isArray(entries) ? [...entries.entries()] : Object.entries(entries);
    const found = isInside(['feeds', name, 'entry'], entry ?? '');
    return found.concat(globs.flatMap(([at, glob]) => isInside(['feeds', name, 'entries', at], glob)));
  });
}

/** Either one entry of an archive is read, or several are. */
export function entriesAreOneOrSeveral(config: Config): Finding[] {
  return Object.entries(config.feeds).flatMap(([name, { entry, entries }]) => {
    if (entry === undefined || entries === undefined) return [];
    const message =
      'entry chooses one file of an archive, entries several that are read as one list; write one of them';
    return [{ path: ['feeds', name, 'entries'], message }];
  });
}

function isInside(path: Finding['path'], entry: string): Finding[] {
  if (entry.includes('\\')) return [{ path, message: 'write "/" between the folders of an archive, not "\\"' }];
  if (!entry.startsWith('/') && !entry.split('/').includes('..')) return [];
  const message =
    'a pattern is for paths inside the archive, such as "*.csv" or "prices/*.txt", without a leading "/" and without ".."';
  return [{ path, message }];
}
