import type { BrandDiff, HeldDiff, RowChange } from '../model.ts';
import { placeWords } from './files/place.ts';
import { counted, grouped } from './words.ts';

/** What a diff says, ready to be set as lines, as a list or as a table. */
type DiffWords = { heading: string; brands: { head: string; examples: string[] }[]; more: string | null };

const SIGNS = { added: '+', removed: '−', changed: '~' };

/** What a held run would have changed, in words: all counts, then the most changed brands with examples. */
function diffWords(diff: HeldDiff, shownBrands: number): DiffWords {
  const shown = diff.brands.slice(0, shownBrands);
  const left = diff.brands.length - shown.length + diff.moreBrands;
  const whose = diff.of === 'feed' ? 'of this feed' : 'of the whole dataset';
  return {
    heading: `What would change in the rows ${whose}: ${rowsText(diff)}`,
    brands: shown.map((brand) => ({
      head: `${brand.brand}: ${rowsText(brand)}`,
      examples: brand.examples.map(exampleText),
    })),
    more: left > 0 ? `and ${counted(left, 'more brand')}` : null,
  };
}

/** The same for a terminal. */
export function diffLines(diff: HeldDiff, shownBrands: number): string[] {
  const { heading, brands, more } = diffWords(diff, shownBrands);
  return [
    heading,
    ...brands.flatMap(({ head, examples }) => [`  ${head}`].concat(examples.map((example) => `    ${example}`))),
    ...(more === null ? [] : [`  ${more}`]),
  ];
}

function rowsText({ before, after, added, removed, changed }: Omit<BrandDiff, 'brand' | 'examples'>): string {
  const changes = Object.entries({ added, removed, changed })
    .filter(([, count]) => count > 0)
    .map(([change, count]) => `${grouped(count)} ${change}`);
  return `${grouped(before)} → ${counted(after, 'row')} (${changes.join(', ') || 'nothing'})`;
}

/** An example: `~ 0 986 424 797 (line 12): name “Pads” → “Pads, front”`. The line of a removed row is that of the older file. */
function exampleText({ change, oem, file, sheet = null, line, cells }: RowChange): string {
  const place = `${SIGNS[change]} ${oem} (${change === 'removed' ? 'was ' : ''}${placeWords({ file, sheet, line })})`;
  const changes = cells.map(({ column, before, after }) => `${column} “${before ?? ''}” → “${after}”`);
  return changes.length === 0 ? place : `${place}: ${changes.join(', ')}`;
}
