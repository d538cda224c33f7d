import { foldSpelling } from '../../parts/spellings.ts';
import { whereIs, type Entry, type EntryProblem } from './entry.ts';

/** Entries by folded spelling, and the brands that are written, see `Scope`. */
type Entries = { brands: ReadonlyMap<string, Entry>; written: ReadonlyMap<string, Entry> };

/**
 * Brands that are themselves spellings of others: what their spellings stand for would depend on how often one looks. Circles are such
 * chains, too. `below`: the common entries, over which those of a feed go. Pure.
 */
export function findChains(entries: Entries, below: Entries | null): EntryProblem[] {
  const entryOf = (folded: string): Entry | undefined => {
    const own = entries.brands.get(folded);
    if (own !== undefined || below === null) return own;
    return entries.written.has(folded) ? undefined : below.brands.get(folded);
  };
  const problems: EntryProblem[] = [];
  const told = new Set<string>();
  const spellings = [...entries.brands].concat(
    below === null ? [] : [...below.brands].filter(([folded]) => entryOf(folded) === below.brands.get(folded)),
  );
  for (const [, entry] of spellings) {
    const brand = foldSpelling(entry.brand);
    const next = entryOf(brand);
    if (next === undefined || told.has(brand)) continue;
    told.add(brand);
    const circle = circleFrom(entry, entryOf);
    const isOwn = entries.brands.get(foldSpelling(entry.spelling)) === entry;
    // What is wrong with the common entries alone is said of them.
    if (!isOwn && !entries.brands.has(brand)) continue;
    const { place } = isOwn ? entry : next;
    const message =
      circle === null
        ? `"${entry.spelling}" stands for ${entry.brand}, which is itself a spelling of ${next.brand} ${whereIs(next.place)}; write ${next.brand} for both`
        : `${circle.join(' → ')} is a circle: decide which of them is the brand, and make the others its spellings`;
    if (circle !== null) for (const one of circle) told.add(foldSpelling(one));
    problems.push({ place, message });
  }
  return problems;
}

/** The brands of a circle that an entry leads around, the first one at both ends; null when it leads to an end. */
function circleFrom(entry: Entry, entryOf: (folded: string) => Entry | undefined): string[] | null {
  const names = [entry.spelling];
  const met = new Map([[foldSpelling(entry.spelling), 0]]);
  for (let at: Entry | undefined = entry; at !== undefined; at = entryOf(foldSpelling(at.brand))) {
    names.push(at.brand);
    const before = met.get(foldSpelling(at.brand));
    if (before !== undefined) return names.slice(before);
    met.set(foldSpelling(at.brand), names.length - 1);
  }
  return null;
}
