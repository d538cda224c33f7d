import type { ColumnRole, SandboxSettings } from '../../settings.ts';

/** The cells of one row that the service knows the meaning of, trimmed; null where the file has no such column. */
export type OfferRow = { cells: string[]; width: number; tags: string[] } & Record<
  Exclude<ColumnRole, 'tags'>,
  string | null
>;

/** Why the service refuses a row. The first rule that is broken is the one that is reported. */
export type RowRule = {
  code: string;
  /** For people who read the documentation; a test keeps docs/sandbox.md equal to this. */
  meaning: string;
  /** The text for the error file, or null when the row keeps the rule. */
  check: (row: OfferRow) => string | null;
};

/**
 * The row rules in the order of checking. Only the limit of tags is in the interface; the others are this service's own,
 * so that clients meet rejections which their own validation did not foresee.
 */
export function rowRules(settings: SandboxSettings): RowRule[] {
  return [...cellRules(settings), ...contentRules(settings)];
}

function cellRules({ limits }: SandboxSettings): RowRule[] {
  return [
    {
      code: 'CELL_COUNT',
      meaning: 'the row has as many cells as the header',
      check: ({ cells, width }) =>
        cells.length === width ? null : `The row has ${cells.length} cells, the header has ${width}`,
    },
    {
      code: 'BRAND_EMPTY',
      meaning: 'the brand is not empty',
      check: ({ brand }) => (brand === '' ? 'The brand is empty' : null),
    },
    {
      code: 'OEM_EMPTY',
      meaning: 'the article number is not empty',
      check: ({ oem }) => (oem === '' ? 'The article number is empty' : null),
    },
    {
      code: 'TOO_MANY_TAGS',
      meaning: `at most ${limits.tags} tags`,
      check: ({ tags }) =>
        tags.length > limits.tags ? `${tags.length} tags, at most ${limits.tags} are allowed` : null,
    },
    tooLong('BRAND_TOO_LONG', 'brand', limits.brandLength, (row) => row.brand),
    tooLong('OEM_TOO_LONG', 'article number', limits.oemLength, (row) => row.oem),
    tooLong('NAME_TOO_LONG', 'name', limits.nameLength, (row) => row.name),
    tooLong('TAG_TOO_LONG', 'tag', limits.tagLength, (row) => row.tags.find((tag) => tag.length > limits.tagLength)),
  ];
}

function contentRules({ blockedBrands, oemPattern }: SandboxSettings): RowRule[] {
  const blocked = new Set(blockedBrands.map((brand) => brand.toUpperCase()));
  const allowed = new RegExp(`^(?:${oemPattern})$`, 'u');
  return [
    {
      code: 'BRAND_UNKNOWN',
      meaning: `the brand is none of ${blockedBrands.join(', ')}`,
      check: ({ brand }) => (brand !== null && blocked.has(brand.toUpperCase()) ? `Unknown brand: ${brand}` : null),
    },
    {
      code: 'OEM_CHARACTERS',
      meaning: "the article number consists of letters, digits, spaces and . , : ; ' / ( ) + * # & _ -",
      check: ({ oem }) =>
        oem === null || allowed.test(oem) ? null : `The article number has characters that are not allowed: ${oem}`,
    },
  ];
}

function tooLong(
  code: string,
  what: string,
  limit: number,
  read: (row: OfferRow) => string | null | undefined,
): RowRule {
  return {
    code,
    meaning: `the ${what} has at most ${limit} characters`,
    check: (row) => {
      const length = read(row)?.length ?? 0;
      return length > limit ? `The ${what} has ${length} characters, at most ${limit} are allowed` : null;
    },
  };
}
