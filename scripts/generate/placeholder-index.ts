import { readFileSync } from 'node:fs';
import { makerKind, isNoMakerEvidence } from '../../src/detect/columns/makers.ts';
import { dottedWord, foldPlaceholder, type Where } from '../../src/values/placeholders.ts';

/** Where a word of each kind stands for nothing; several words of a brand or a number do so in either: cells are shifted, too. */
const PLACES: Record<string, Where[]> = {
  any: ['brand', 'oem', 'name', 'tags'],
  label: ['brand', 'oem', 'name'],
  part: ['brand', 'oem'],
  brand: ['brand'],
  number: ['oem'],
};

const PART = ['brand', 'number'];
/** Words that may be written with dots in place of the slashes. */
const ABBREVIATIONS = /^\p{L}{1,4}(?:\/\p{L}{1,4})+$/u;

/** src/values/placeholder-index.json as the table beside it makes it: the words of each column, folded; `?` where one may be a maker. */
export function placeholderIndex(): string {
  const index: Record<Where, Set<string>> = { brand: new Set(), oem: new Set(), name: new Set(), tags: new Set() };
  for (const { language, where, words } of rows()) {
    for (const written of words) {
      const mayBeMaker = written.endsWith('?');
      for (const word of spellings(written.replace(/\?$/, ''), language)) {
        const places = written.includes(' ') && PART.includes(where) ? PLACES['part']! : PLACES[where]!;
        for (const place of places) {
          if (place !== 'brand') index[place].add(word);
          else if (!isMaker(word)) index.brand.add(mayBeMaker ? `${word}?` : word);
        }
        if (ABBREVIATIONS.test(word))
          addDotted(index, word.split('/'), PART.includes(where) ? PLACES['part']! : places);
      }
    }
  }
  // What one row calls certain is certain.
  for (const word of index.brand) index.brand.delete(`${word}?`);
  const sorted = Object.entries(index).map(([place, words]) => [place, [...words].sort()] as const);
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

/** An abbreviation with dots in place of the slashes; no number is called so without any of them, but makers are. */
function addDotted(index: Record<Where, Set<string>>, parts: string[], places: Where[]): void {
  const bare = parts.join('');
  for (const place of places) if (place !== 'brand' || !isMaker(bare)) index[place].add(dottedWord(parts));
  if (places.includes('oem')) index.oem.add(bare);
}

function rows(): { language: string; where: string; words: string[] }[] {
  const table = readFileSync(new URL('../../src/values/placeholders.md', import.meta.url), 'utf8');
  return [...table.matchAll(/^\| (\w+) +\| (any|label|part|brand|number) +\| ([^|]+) \| [^|]+ \|$/gm)].map(
    ([, language = '', where = '', words = '']) => ({
      language,
      where,
      words: words.split(',').map((word) => word.trim()),
    }),
  );
}

/** A word as it is looked up: with and without diacritics, in Turkish capitals. */
function spellings(written: string, language: string): string[] {
  const capitals = language === 'Turkish' ? [written.toLocaleUpperCase('tr')] : [];
  const spelled = [written, withoutDiacritics(written), written.replaceAll('ё', 'е'), ...capitals];
  return [...new Set(spelled.map(foldPlaceholder))];
}

function withoutDiacritics(text: string): string {
  const bare = text
    .replaceAll(/[й]/g, '\ue000')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '');
  return bare
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .replaceAll('đ', 'd')
    .replaceAll('\ue000', 'й')
    .normalize('NFC');
}

function isMaker(word: string): boolean {
  return makerKind(word) !== null && !isNoMakerEvidence(word);
}
