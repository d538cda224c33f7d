/** A row that was added, removed or changed; `cells` are those that changed. `sheet` and `line` are those of the file it stands in. */
export type RowChange = {
  change: 'added' | 'removed' | 'changed';
  oem: string;
  /** Earlier versions kept none. */
  file?: string | undefined;
  sheet?: string | null;
  line: number;
  cells: { column: string; before: string | null; after: string }[];
};

/** What changes for one brand, with the first rows of each kind. */
export type BrandDiff = {
  brand: string;
  before: number;
  after: number;
  added: number;
  removed: number;
  changed: number;
  examples: RowChange[];
};

/** What would change against what is live: all counts, and the most changed brands. */
export type RowsDiff = Omit<BrandDiff, 'brand' | 'examples'> & { brands: BrandDiff[]; moreBrands: number };

/** What a held run would have changed: in the rows of its feed, or in the whole dataset of its login. */
export type HeldDiff = RowsDiff & { of: 'feed' | 'dataset' };

/** What a run made live against what was live of its feed before. `tags`: tags of parts that stayed. */
export type LiveChange = RowsDiff & { tags: { added: number; removed: number } };
