import type { BrandDiff, RowChange, RowsDiff } from '../../model.ts';
import type { Language } from '../language/language.ts';

/** What changed, or would change, in numbers: `1,200 → 1,150 parts: 30 new, 80 gone and 12 changed`. */
export function changeHeadline(change: Omit<RowsDiff, 'brands' | 'moreBrands'>, language: Language): string {
  const { before, after } = change;
  return language.say('change.headline', { before, after, changes: changesText(change, language) });
}

/** The most changed brands, a line for each with its first rows, and how many brands are left out; null when none are. */
export type ChangedBrands = { brands: { head: string; examples: string[] }[]; more: string | null };

/** What changed, or would change, by brand: those that are new or gone are named so. */
export function changeBrands(
  { brands, moreBrands }: Pick<RowsDiff, 'brands' | 'moreBrands'>,
  shown: number,
  language: Language,
): ChangedBrands {
  const left = Math.max(0, brands.length - shown) + moreBrands;
  return {
    brands: brands.slice(0, shown).map((brand) => ({
      head: brandText(brand, language),
      examples: brand.examples.map((row) => exampleText(row, language)),
    })),
    more: left === 0 ? null : language.say('change.moreBrands', { count: left }),
  };
}

function brandText(change: BrandDiff, language: Language): string {
  const { brand, before, after } = change;
  const { say } = language;
  if (before === 0 && after > 0) return say('change.brandNew', { brand, count: after });
  if (before > 0 && after === 0) return say('change.brandGone', { brand, count: before });
  return say('change.brand', { brand, changes: changesText(change, language) });
}

function changesText(
  { added, removed, changed }: Pick<BrandDiff, 'added' | 'removed' | 'changed'>,
  language: Language,
) {
  const counts = Object.entries({ added, removed, changed }) as ['added' | 'removed' | 'changed', number][];
  const texts = counts
    .filter(([, count]) => count > 0)
    .map(([what, count]) => language.say(`change.${what}`, { count }));
  return texts.length === 0 ? language.say('change.nothing') : language.list(texts);
}

const SIGNS = { added: '+', removed: '−', changed: '~' };

/** A row by its part number, with the cells that changed: `~ 0 986 424 797: name “Pads” → “Pads, front”`. */
function exampleText({ change, oem, cells }: RowChange, { say }: Language): string {
  const changes = cells.map(({ column, before, after }) => say('change.cell', { column, before: before ?? '', after }));
  return `${SIGNS[change]} ${oem}${changes.length === 0 ? '' : `: ${changes.join(', ')}`}`;
}
