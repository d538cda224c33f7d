/** What one thing changed of the parts of a delivery against those that are live; `isNew`: it is there now, else it is gone. */
export type PartsChange =
  | { what: 'ending' | 'beginning'; text: string; isNew: boolean }
  | { what: 'zeros' | 'brand-before'; isNew: boolean }
  | { what: 'letters' | 'marks' | 'swapped' | 'brand' };

/** A part that is live, and what stands in its place in the delivery; null where nothing is known to. */
export type ChangedPart = { before: PartName; after: PartName | null };

/** A part as it is written. */
export type PartName = { brand: string; oem: string };

/** Another feed that parts are of: the share of the delivery's parts, and how many it has itself. */
export type OtherFeed = { feed: string; share: number; parts: number };

/** How many live parts a delivery lacks, of how many (0: nothing of the feed is live); why, as far as one thing explains it. */
export type PartsGone = {
  gone: number;
  of: number;
  /** `parts` of `of` compared new parts are explained by it. */
  change: (PartsChange & { parts: number; of: number }) | null;
  other: OtherFeed | null;
  examples: ChangedPart[];
};
