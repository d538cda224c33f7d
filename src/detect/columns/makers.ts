import index from './makers/index.json' with { type: 'json' };
import { unicodePattern } from '../../unicode-pattern.ts';
import type { Makers } from './judge/makers-in.ts';

/** What a maker makes: many makers of vehicles offer parts under their own name, too. */
export type MakerKind = 'parts' | 'vehicles' | 'both';

/** A name that is an ordinary word as well is ambiguous, whatever its maker makes. */
type Maker = MakerKind | 'ambiguous';

export const LEGAL_FORM =
  /[\s,]+(?:gmbh|ag|kg|se|ltd|llc|inc|corp|co|company|group|b\.?v|n\.?v|s\.?p\.?a|s\.?r\.?l|s\.?a|a\.?s|a\/s|sp\. ?z ?o\.? ?o|s\.?r\.?o|ооо|оао|зао|ао)\.?$/iu;

/**
 * The lists in ./makers, folded when they were last changed and not at every start: the names of each kind, and what stands in their place
 * where no maker is known.
 */
const LISTS: Record<Maker | 'none', string[]> = index;
const MAKERS = new Map(
  (['parts', 'vehicles', 'both', 'ambiguous'] as const).flatMap((kind) =>
    LISTS[kind].map((name): [string, Maker] => [name, kind]),
  ),
);
const NO_MAKERS = new Set(LISTS.none);

/** Numbers of parts have as many digits, and no name in the lists. */
const MANY_DIGITS = /\d\D*\d\D*\d\D*\d/;
/** Between the names of several makers. */
export const BETWEEN_NAMES = /[/(),;]/;

/** What is known of a cell, of the cells of the last while: brands repeat, and a file's are looked up in many places. */
type Known = { maker: Maker | undefined; isNoEvidence: boolean };
const UNKNOWN: Known = { maker: undefined, isNoEvidence: false };
const known = new Map<string, Known>();
const MOST_KNOWN = 5_000;

/**
 * Looks up what the maker that a cell names makes. Case, blanks, punctuation, diacritics and a legal form behind the name do not
 * matter; of two names, as in `KNECHT/MAHLE` or `HANS PRIES (TOPRAN)`, one must be known. Null for an unknown maker, and for
 * names that are ordinary words (`isNoMakerEvidence`).
 */
export function makerKind(cell: string): MakerKind | null {
  const { maker } = knownOf(cell);
  return maker === undefined || maker === 'ambiguous' ? null : maker;
}

/**
 * Whether a cell says nothing about its column: it is an ordinary word that is a maker's name too (`Optimal`, `Ring`), or what
 * suppliers write where they know no maker (`OEM`, `CHINA`, `б/н`). Such cells count neither for nor against a column of makers.
 */
export function isNoMakerEvidence(cell: string): boolean {
  return knownOf(cell).isNoEvidence;
}

/**
 * What is known of makers where these brands are live already: nobody lists all makers. The lists go first, and a brand without
 * two letters in a row is no evidence.
 */
export function makersWith(brands: string[]): Makers {
  const live = new Set(brands.filter((brand) => /\p{L}{2}/u.test(brand)).flatMap(spellingsOfMaker));
  const isLive = (cell: string) => live.has(foldMaker(cell)) && !isNoMakerEvidence(cell);
  return { makerKind: (cell) => makerKind(cell) ?? (isLive(cell) ? 'parts' : null), isNoMakerEvidence };
}

function knownOf(cell: string): Known {
  if (MANY_DIGITS.test(cell) && !BETWEEN_NAMES.test(cell)) return UNKNOWN;
  const before = known.get(cell);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const key = foldMaker(cell);
  const maker = makerOf(cell, key);
  const found = { maker, isNoEvidence: NO_MAKERS.has(key) || maker === 'ambiguous' };
  known.set(cell, found);
  return found;
}

function makerOf(cell: string, key: string): Maker | undefined {
  const found = MAKERS.get(key);
  if (found !== undefined || !/[/(,;.\s]/.test(cell)) return found;
  const name = cell.trim();
  const bare = name.replace(LEGAL_FORM, '');
  const withoutForm = bare === name ? undefined : MAKERS.get(foldMaker(bare));
  if (withoutForm !== undefined || !BETWEEN_NAMES.test(cell)) return withoutForm;
  const names = cell.split(BETWEEN_NAMES).map((name) => MAKERS.get(foldMaker(name)));
  return names.find((maker) => maker !== undefined && maker !== 'ambiguous');
}

/** Folds a maker's name for comparison: case, blanks, punctuation and diacritics do not matter. */
function foldMaker(name: string): string {
  const lower = name.toLowerCase();
  if (/^[a-z0-9]*$/.test(lower)) return lower;
  if (/^[\0-\x7f]*$/.test(lower)) return lower.replaceAll(/[^a-z0-9]+/g, '');
  const bare = lower.normalize('NFKD').replaceAll(/[\u0300-\u036f]+/g, '');
  const plain = bare.replaceAll(/[łøıß]/g, (letter) => BASE[letter]!);
  return plain.replaceAll(PUNCTUATION(plain), '');
}

const PUNCTUATION = unicodePattern(String.raw`[^\p{L}\p{N}]+`, 'gu');
const BASE: Record<string, string> = { ł: 'l', ø: 'o', ı: 'i', ß: 'ss' };

/** A maker's name, folded: as it is written, and with umlauts as two letters. */
export function spellingsOfMaker(name: string): string[] {
  if (!/[ÄÖÜäöü]/.test(name)) return [foldMaker(name)];
  const lower = name.toLowerCase();
  return [foldMaker(name), foldMaker(lower.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue'))];
}
