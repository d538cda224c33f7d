import { isPlaceholder } from '../../values/placeholders.ts';
import { isFormula, isFormulaError } from '../../values/spreadsheet.ts';

/** What a row with a single text is, where brands stand in headings. */
type Heading = 'brand' | 'nothing' | 'group' | 'part';

/** The brand of the rows below a heading; `isKnown` false: nobody knows a maker of this name. */
export type HeadingBrand = { name: string; isKnown: boolean };

/** Headings of groups that are remembered. */
const MOST_GROUPS = 10_000;
const LETTER = /\p{L}/u;
const DIGIT = /\d/;
/** Marks around the name of a heading, such as `— BOSCH —` and `BOSCH:`. */
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N})]+$/gu;

const NONE_KEPT: ReadonlySet<string> = new Set();

function isNoBrand(text: string): boolean {
  return isPlaceholder(text, 'brand', NONE_KEPT) || isFormula(text, true) || isFormulaError(text);
}

/** Follows the headings of a list: each part has the brand above it. */
type HeadingBrands = {
  /** Takes a row with a single text; false when it is no heading but a part. */
  meet: (text: string) => boolean;
  /** The brand of a part that stands here; null above the first one. */
  brandOfPart: () => HeadingBrand | null;
};

/**
 * Headings that are makers are brands. Any other is that of a group, and the brand above it stays, when it stands right below another
 * heading, in a list that has such groups, or has a digit; else it is the brand of a maker whom nobody knows. What stands for no brand ends
 * the brand above it. `isNumber`: whether a text is written as the numbers of the list are.
 */
export function followHeadings(isMaker: (text: string) => boolean, isNumber: (text: string) => boolean): HeadingBrands {
  let brand: HeadingBrand | null = null;
  let isBelowHeading = false;
  const groups = new Set<string>();

  function kindOf(text: string): Heading {
    if (isMaker(text)) return 'brand';
    if (isNoBrand(text)) return 'nothing';
    if (!LETTER.test(text) || isNumber(text)) return 'part';
    return isBelowHeading || groups.size > 0 || DIGIT.test(text) ? 'group' : 'brand';
  }

  return {
    meet: (text) => {
      const name = text.trim().replaceAll(AROUND, '');
      const kind = isNoBrand(text.trim()) ? 'nothing' : kindOf(name);
      if (kind === 'part') return false;
      if (kind === 'nothing') brand = null;
      else if (kind === 'brand') brand = { name, isKnown: isMaker(name) };
      else if (isBelowHeading && groups.size < MOST_GROUPS) groups.add(name);
      isBelowHeading = true;
      return true;
    },
    brandOfPart: () => {
      isBelowHeading = false;
      return brand;
    },
  };
}
