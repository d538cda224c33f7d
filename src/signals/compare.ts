import type { SeenSignals, SignalFinding, Signals } from '../model.ts';
import { findNames, findStock } from './cell-findings.ts';
import { findPrices, type PricePair } from './price-findings.ts';
import type { Sample } from './sample.ts';

/** A delivery as it was seen; the sample is null where no columns were, or it is no longer there. */
export type Seen = { run: string | null; seen: SeenSignals; sample: Sample | null };

/** A price that more than doubled, or fell to less than half, has jumped. */
const JUMP = 2;

/** Compares a delivery with the one that was proved before it, null when there is none, and finds what is strange. Pure. */
export function compareSeen(newer: Omit<Seen, 'run'>, older: Seen | null): Signals {
  const pairs = pairsOf(newer.sample, older?.sample ?? null);
  const cells = cellsBelow(newer.sample, older?.sample ?? null);
  const found = cells.filter(([key]) => older!.sample!.parts.has(key)).map(([, cell]) => cell);
  const swapped = { cells: found, of: cells.length };
  const jumped = pairs.filter(({ ratio }) => ratio > JUMP || ratio < 1 / JUMP);
  const before = older?.seen ?? null;
  const compared = { newer, before, pairs, jumped, swapped };
  const findings: SignalFinding[] = [
    ...findPrices(compared, older?.sample ?? null),
    ...findStock(newer.seen, before),
    ...findNames(newer.seen, before),
  ];
  return {
    seen: newer.seen,
    comparedWith: older?.run ?? null,
    before,
    compared: pairs.length,
    jumped: jumped.length,
    swapped: { parts: found.length, of: cells.length },
    findings,
  };
}

/** Parts that have a price above zero in both deliveries, in the order of the newer file. */
function pairsOf(newer: Sample | null, older: Sample | null): PricePair[] {
  if (newer === null || older === null) return [];
  const pairs: PricePair[] = [];
  for (const [key, part] of newer.parts) {
    const before = older.parts.get(key)?.price ?? 0;
    const after = part.price ?? 0;
    if (before > 0 && after > 0) pairs.push({ part, before, after, ratio: after / before });
  }
  return pairs.sort((a, b) => a.part.line - b.part.line);
}

/** Price cells that would be found if they were numbers: those with keys that neither sample leaves out. */
function cellsBelow(newer: Sample | null, older: Sample | null) {
  if (newer === null || older === null) return [];
  const limit = Math.min(newer.cellLimit, older.limit);
  return [...newer.cells].filter(([key]) => key < limit);
}
