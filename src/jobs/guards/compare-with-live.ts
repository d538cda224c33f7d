import type { AnyFile } from '../../archive/kept-file.ts';
import { diffLive, type DiffInput } from '../../compose/diff.ts';
import { rejectedRows, type IsRejected } from '../../compose/rejected-rows.ts';
import {
  droppedSlices,
  greatestLosses,
  type SliceDrops,
  type SliceInput,
  type SliceLosses,
} from '../../compose/slices.ts';
import type { RowFile } from '../../compose/row-file.ts';
import { countMissing, explainMissing, feedLike, type Missing } from '../../compose/parts-gone/parts-gone.ts';
import type { TagColumn } from '../../compose/tag-changes.ts';
import type { LiveChange, OtherFeed, PartsGone } from '../../model.ts';
import { readRejections } from '../../upload/errors/read-rejections.ts';

/** What the service rejected of the dataset that is live: its `.errors` file and the columns that were sent. */
export type RejectedThere = { errorsPath: AnyFile; columns: string[] };

/** Rows of rejected parts by feed, in what is live and in what would replace it. */
export type RejectedOnBothSides = { older: Record<string, number>; newer: Record<string, number> };

/** Counts rows of rejected parts on both sides. Runs in a thread. */
export async function rejectedOnBothSides(input: {
  older: RowFile;
  newer: RowFile;
  rejected: RejectedThere;
}): Promise<RejectedOnBothSides> {
  const isRejected = await rejectedParts(input.rejected);
  if (isRejected === null) return { older: {}, newer: {} };
  const [older, newer] = [await rejectedRows(input.older, isRejected), await rejectedRows(input.newer, isRejected)];
  return { older, newer };
}

/** The brands and tags of live rows that lost too much. Runs in a thread. */
export async function droppedLiveSlices(input: SliceInput & { rejected: RejectedThere | null }): Promise<SliceDrops> {
  const { rejected, ...compared } = input;
  return droppedSlices(compared, rejected === null ? null : await rejectedParts(rejected));
}

/** The largest shares that a brand and a tag of the live rows lost, and the share of the parts that went; null when there were none. */
export type LiveLosses = SliceLosses & { parts: number | null };

/** Measures what the guards of brands, tags and parts look at. Runs in a thread. */
export async function greatestLiveLosses(
  input: Omit<SliceInput, 'guard'> & { rejected: RejectedThere | null },
): Promise<LiveLosses> {
  const { rejected, ...compared } = input;
  const isRejected = rejected === null ? null : await rejectedParts(rejected);
  const { gone, of } = await countMissing(compared.older, compared.newer, isRejected);
  return { ...(await greatestLosses(compared, isRejected)), parts: of === 0 ? null : gone / of };
}

/** The rows of a feed's delivery, those that are live of it, and those of other feeds. */
type GoneInput = {
  older: RowFile;
  newer: RowFile;
  others: { feed: string; rows: RowFile }[];
  rejected: RejectedThere | null;
};

/** Counts the live parts that a delivery lacks. Runs in a thread. */
export async function missingParts({ older, newer, rejected }: Omit<GoneInput, 'others'>): Promise<Missing> {
  return countMissing(older, newer, rejected === null ? null : await rejectedParts(rejected));
}

/** Says why a delivery lacks live parts. Runs in a thread. */
export async function whyPartsGone(input: GoneInput): Promise<Pick<PartsGone, 'change' | 'other' | 'examples'>> {
  return explainMissing(input, input.rejected === null ? null : await rejectedParts(input.rejected));
}

/** The other feed that most parts of a delivery are of. Runs in a thread. */
export async function likeOtherFeed({ newer, others }: Pick<GoneInput, 'newer' | 'others'>): Promise<OtherFeed | null> {
  return feedLike(newer, others);
}

/** What changed between the rows that were live and those that are; what the service rejected was not. Runs in a thread. */
export async function changeOfLive({
  tags,
  rejected: { older, newer },
  ...compared
}: DiffInput & {
  tags: TagColumn | null;
  rejected: { older: RejectedThere | null; newer: RejectedThere | null };
}): Promise<LiveChange> {
  return diffLive(compared, tags, {
    older: older === null ? null : await rejectedParts(older),
    newer: newer === null ? null : await rejectedParts(newer),
  });
}

/** Whether the service rejected a part; null when the file does not name parts: anything else could also apply to good rows. */
export async function rejectedParts({ errorsPath, columns }: RejectedThere): Promise<IsRejected | null> {
  const { pending, keyOf } = await readRejections({ errorsPath, columns });
  const [first] = pending.values();
  const cells = first?.errors[0]?.cells;
  if (cells?.['brand'] === undefined || cells['oem'] === undefined) return null;
  return (brand, oem) => pending.has(keyOf((column) => (column === 'brand' ? brand : oem)));
}
