import { hash } from 'node:crypto';
import { foldHalf, partKey } from './part-key.ts';
import { stripNumber, type Strip } from './strip-number.ts';

/**
 * Which brands other spellings stand for, as plain data that is quickly sent to threads. `text`: lines of a spelling as part keys have it,
 * a tab, and the brand as it is uploaded. `digest` is the same for tables that say the same.
 */
export type SpellingTable = { text: string; digest: string };

/** The brand that a brand cell stands for: itself where no table says otherwise. */
export type Speller = (brand: string) => string;

/** A spelling as those of a table are compared, however its letters and marks are written. */
export function foldSpelling(text: string): string {
  return foldHalf(text.normalize('NFC'));
}

/** Brands whose answer is remembered: few brands have many rows. */
const MOST_REMEMBERED = 10_000;

/** Makes a table of folded spellings and their brands; null of none. */
export function spellingTable(brands: ReadonlyMap<string, string>): SpellingTable | null {
  if (brands.size === 0) return null;
  const lines = [...brands].map(([spelling, brand]) => `${spelling}\t${brand}\n`).sort();
  const text = lines.join('');
  return { text, digest: hash('sha256', text) };
}

/** The folded spellings of a table, and their brands. */
export function* spellingsIn({ text }: SpellingTable): Generator<[spelling: string, brand: string]> {
  for (let at = 0; at < text.length;) {
    const [tab, end] = [text.indexOf('\t', at), text.indexOf('\n', at)];
    yield [text.slice(at, tab), text.slice(tab + 1, end)];
    at = end + 1;
  }
}

const maps = new WeakMap<SpellingTable, Map<string, string>>();

/** The brands of a table by folded spelling; made once. */
function brandsOf(table: SpellingTable): Map<string, string> {
  const known = maps.get(table);
  if (known !== undefined) return known;
  const brands = new Map(spellingsIn(table));
  maps.set(table, brands);
  return brands;
}

/** Looks brands up as part keys compare them; without a table each stands for itself. */
export function createSpeller(table: SpellingTable | null): Speller {
  if (table === null) return (brand) => brand;
  const brands = brandsOf(table);
  const remembered = new Map<string, string>();
  return (brand) => {
    const before = remembered.get(brand);
    if (before !== undefined) return before;
    const found = brands.get(foldHalf(brand)) ?? brand;
    if (remembered.size < MOST_REMEMBERED) remembered.set(brand, found);
    return found;
  };
}

/**
 * The keys that rows of a part may have: under the brand that is meant, and, where the supplier wrote them, under its other spellings; with and
 * without what is taken off numbers.
 */
export function partKeys(
  { brand, oem }: { brand: string; oem: string },
  { table, strip }: { table: SpellingTable | null; strip: Strip | null },
): Set<string> {
  const meant = createSpeller(table)(brand);
  const others = table === null ? [] : [...brandsOf(table)].filter(([, other]) => other === meant);
  const brands = [brand, meant, ...others.map(([spelling]) => spelling)];
  const numbers = [oem, stripNumber(oem, strip)];
  return new Set(brands.flatMap((one) => numbers.map((number) => partKey(one, number))));
}

/**
 * What else a search may mean that begins with a spelling: the same with its brand, both as part keys have them. `folded` is the search so.
 */
export function spelledSearches(folded: string, table: SpellingTable | null): string[] {
  if (table === null) return [];
  const brands = brandsOf(table);
  const found = Array.from({ length: folded.length }, (_, at) => {
    const brand = brands.get(folded.slice(0, at + 1));
    return brand === undefined ? folded : foldHalf(brand) + folded.slice(at + 1);
  });
  return [...new Set(found)].filter((search) => search !== folded);
}
