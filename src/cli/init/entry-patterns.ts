import { basename } from 'node:path';
import { fitsEntry } from '../../pull/unpack/unpack-all.ts';
import { literal, patternOf } from './group-files.ts';

/** What names begin or end with has so many letters at least. */
const LEAST_LETTERS = 3;
const UP_TO_MARK = /^.*[-_. ]/su;

/**
 * Patterns that take all lists of an archive and none of its other files: by their extension, else by what their names begin or end with; where
 * nothing tells them apart their names. Pure.
 */
export function entryPatterns(lists: string[], others: string[]): string[] {
  const byExtension = Map.groupBy(lists, extensionOf);
  const found = [...byExtension].flatMap(([extension, names]) => {
    const wide = widePatterns(names, extension).find(
      (pattern) =>
        names.every((name) => fitsEntry(name, pattern)) && !others.some((other) => fitsEntry(other, pattern)),
    );
    return wide ?? names.map((name) => namedPattern(name, others));
  });
  return [...new Set(found)];
}

/** The name of a list in an archive with stars for its dates, if no other file is called so. Pure. */
export function namedPattern(name: string, others: string[]): string {
  const pattern = patternOf(name);
  return others.some((other) => fitsEntry(other, pattern)) ? literal(name) : pattern;
}

/** In small letters; a list may be packed by itself: price.csv.gz is a csv. */
function extensionOf(name: string): string {
  const bare = name.toLowerCase().replace(/\.(?:gz|gzip)$/u, '');
  return /\.[^./]+$/u.exec(bare)?.[0] ?? '';
}

/** From the widest on. */
function widePatterns(names: string[], extension: string): string[] {
  const stems = names.map((name) => {
    const bare = basename(name).toLowerCase();
    return bare.slice(0, bare.lastIndexOf(extension));
  });
  const beginning = commonBeginning(stems);
  const end = reversed(commonBeginning(stems.map(reversed)));
  return [
    ...(extension === '' ? [] : [`*${literal(extension)}`]),
    ...(hasLetters(beginning) ? [`${patternOf(beginning)}*${literal(extension)}`] : []),
    ...(hasLetters(end) ? [`*${patternOf(end)}${literal(extension)}`] : []),
  ];
}

/** What texts begin with, up to the last mark between words. */
function commonBeginning([first = '', ...others]: string[]): string {
  let length = others.length === 0 ? 0 : first.length;
  while (others.some((other) => !other.startsWith(first.slice(0, length)))) length -= 1;
  return UP_TO_MARK.exec(first.slice(0, length))?.[0] ?? '';
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join('');
}

function hasLetters(text: string): boolean {
  return (text.match(/\p{L}/gu) ?? []).length >= LEAST_LETTERS;
}
