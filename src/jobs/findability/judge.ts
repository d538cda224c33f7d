import type { FoundPart } from '../../model.ts';
import { foldHalf } from '../../parts/part-key.ts';
import type { Part } from '../../service/search/schemas.ts';
import { searchKey } from '../../upload/receipt/choose-canaries.ts';

/** What was answered about one part. */
export type Judged = Pick<FoundPart, 'found' | 'knownAs' | 'saleCategory'>;

/** Judges a part by all that the search answered about it, by number and by brand and number. */
export function judge({ brand, oem }: { brand: string; oem: string }, answers: readonly Part[]): Judged {
  const key = searchKey(brand, oem);
  const number = numberKey(oem);
  const own = answers.find((part) => searchKey(part.brand, part.oem) === key);
  const [demand] = own === undefined ? [] : categoryOf(own);
  const saleCategory = demand === undefined ? {} : { saleCategory: demand };
  if (own !== undefined && isKnown(own)) return { found: 'known', ...saleCategory };
  const other = answers.find((part) => numberKey(part.oem) === number && part !== own && isKnown(part));
  if (other !== undefined) return { found: 'other-brand', knownAs: other.brand, ...saleCategory };
  return { found: own === undefined ? 'missing' : 'own', ...saleCategory };
}

/** The demand for a part that is not live: its own where the search shows it, else the highest among parts with its number. */
export function demandFor(
  { brand, oem }: { brand: string; oem: string },
  answers: readonly Part[],
): number | undefined {
  const own = answers
    .filter((part) => searchKey(part.brand, part.oem) === searchKey(brand, oem))
    .flatMap(categoryOf)[0];
  const same = answers.filter((part) => numberKey(part.oem) === numberKey(oem));
  const all = same.flatMap(categoryOf);
  return own ?? (all.length === 0 ? undefined : Math.min(...all));
}

/** The category of a part, where it is one of the four that there are. */
function categoryOf({ saleCategory }: Part): number[] {
  return saleCategory != null && [1, 2, 3, 4].includes(saleCategory) ? [saleCategory] : [];
}

/** Whether the answers show that the reference database knows anything at all of some part. */
export function showsNames(answers: readonly Part[]): boolean {
  return answers.some(isKnown);
}

/** Only the reference database has names in a locale, crosses and replacements; an offer has none of them by itself. */
function isKnown({ detailNames, crossNames, replacements }: Part): boolean {
  return [detailNames, crossNames, replacements].some((list) => (list ?? []).length > 0);
}

function numberKey(oem: string): string {
  return foldHalf(oem).replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
