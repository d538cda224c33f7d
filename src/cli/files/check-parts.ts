import { countMissing, explainMissing } from '../../compose/parts-gone/parts-gone.ts';
import type { RowFile } from '../../compose/row-file.ts';
import type { Guard } from '../../config/schema/schema.ts';
import { lacksTooMany } from '../../jobs/guards/parts-gone-guard.ts';
import type { KeptRows } from '../../validate/checks/lost-zeros.ts';
import type { TrippedGuard } from '../../wording/reasons/guard-reasons.ts';

/** `guard.maxPartsGone` for a file that is checked, against what is live of its feed; null when it holds nothing. */
export async function partsGone(
  newer: RowFile,
  { earlier, guard, feed }: { earlier: KeptRows | null; guard: Guard; feed: string },
): Promise<TrippedGuard | null> {
  const limit = guard.maxPartsGone;
  if (limit === undefined || earlier === null) return null;
  const older: RowFile = { ...earlier, kind: 'rows' };
  const missing = await countMissing(older, newer, null);
  if (!lacksTooMany(missing, guard)) return null;
  const { gone, of } = missing;
  const why = await explainMissing({ older, newer, others: [] }, null);
  return { whose: { feed }, guard: 'maxPartsGone', limit, gone, of, ...why };
}
