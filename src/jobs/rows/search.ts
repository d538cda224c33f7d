import { foldHalf } from '../../parts/part-key.ts';
import { stripNumber, type Strip } from '../../parts/strip-number.ts';
import { createSpeller, spelledSearches, type SpellingTable } from '../../parts/spellings.ts';

/** What of a row is searched. */
export type Searched = { brand: string; oem: string; name: string };

/** Whether a row is one of those that are searched. */
export type Matcher = (row: Searched) => boolean;

/** Folded brands that are remembered: few brands have many rows. */
const MOST_BRANDS = 10_000;

/**
 * Finds rows by a part of their brand and number in any spelling, such as `0986-42` or `bosch 0 986`, or of their name; by the table, also
 * under the other spellings of their brand, and with what is taken off their numbers. Null when nothing is searched.
 */
export function matcherOf(
  search: string,
  { table, strip }: { table: SpellingTable | null; strip: Strip | null },
): Matcher | null {
  const wanted = search.trim();
  if (wanted === '') return null;
  const words = wanted.split(/\s+/);
  const stripped = [words.map((word) => stripNumber(word, strip)).join(' '), strippedOfWords(words, strip)];
  const all = [...new Set([wanted, ...stripped].map(foldHalf))].filter((one) => one !== '');
  const searches = all.concat(all.flatMap((one) => spelledSearches(one, table)));
  const lower = wanted.toLowerCase();
  const foldBrand = brandFolder();
  const spell = createSpeller(table);
  const isIn = (part: string) => searches.some((one) => part.includes(one));
  return ({ brand, oem, name }) => {
    const number = foldHalf(oem);
    const meant = spell(brand);
    return (
      isIn(foldBrand(brand) + number) ||
      (meant !== brand && isIn(foldBrand(meant) + number)) ||
      name.toLowerCase().includes(lower)
    );
  };
}

/** What is searched without what is taken off with a blank, such as `NT `; which of the words is the number is not known. */
function strippedOfWords(words: readonly string[], strip: Strip | null): string {
  const hasBlank = (text: string) => /\s/.test(text);
  const ofWords = strip && { prefixes: strip.prefixes.filter(hasBlank), suffixes: strip.suffixes.filter(hasBlank) };
  for (const at of words.keys()) {
    const rest = words.slice(at).join(' ');
    const stripped = stripNumber(rest, ofWords);
    if (stripped !== rest) return [...words.slice(0, at), stripped].join(' ');
  }
  return words.join(' ');
}

/** Folds brands as part keys do; it remembers them. */
export function brandFolder(): (brand: string) => string {
  const known = new Map<string, string>();
  return (brand) => {
    const found = known.get(brand);
    if (found !== undefined) return found;
    const folded = foldHalf(brand);
    if (known.size < MOST_BRANDS) known.set(brand, folded);
    return folded;
  };
}

/** Takes what is searched out of cells whose columns have these names. */
export function searchedIn(names: string[]): (cells: string[]) => Searched {
  const [brandAt, oemAt, nameAt] = ['brand', 'oem', 'name'].map((key) => names.indexOf(key)) as [
    number,
    number,
    number,
  ];
  return (cells) => ({ brand: cells[brandAt] ?? '', oem: cells[oemAt] ?? '', name: cells[nameAt] ?? '' });
}
