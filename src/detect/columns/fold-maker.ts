/** Folds a maker's name for comparison: case, blanks, punctuation and diacritics do not matter. */
export function foldMaker(name: string): string {
  const lower = name.toLowerCase();
  if (/^[\0-\x7f]*$/.test(lower)) return lower.replaceAll(/[^a-z0-9]+/g, '');
  const bare = lower.normalize('NFKD').replaceAll(/[\u0300-\u036f]+/g, '');
  return bare.replaceAll(/[łøıß]/g, (letter) => BASE[letter]!).replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

const BASE: Record<string, string> = { ł: 'l', ø: 'o', ı: 'i', ß: 'ss' };

/** A maker's name, folded: as it is written, and with umlauts as two letters. */
export function spellingsOfMaker(name: string): string[] {
  if (!/[ÄÖÜäöü]/.test(name)) return [foldMaker(name)];
  const lower = name.toLowerCase();
  return [foldMaker(name), foldMaker(lower.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue'))];
}
