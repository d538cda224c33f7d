import type { Context } from '../../context.ts';
import { runsWithDelivery, type RunWithDelivery } from '../../ledger/runs/deliveries.ts';

/** A delivery of a feed: its bytes, when they came last, and the run that read them. */
export type PastDelivery = { sha256: string; at: number; run: string };

/** The deliveries of a feed that came since a time, each once however often it was read, the newest first. */
export async function pastDeliveries(
  of: { feed: string; login: string; since: number },
  { ledger }: Context,
): Promise<PastDelivery[]> {
  return deliveriesIn(await runsWithDelivery(ledger.db, of), of.since);
}

/**
 * The same among runs, which are the newest first; of those with the same bytes the newest counts that was read to its end.
 * @internal exported for tests
 */
export function deliveriesIn(runs: readonly RunWithDelivery[], since: number): PastDelivery[] {
  return [...Map.groupBy(runs, ({ sha256 }) => sha256)]
    .map(([sha256, same]) => {
      const read = same.find(({ isRead }) => isRead) ?? same[0]!;
      return { sha256, at: same[0]!.at, run: read.id };
    })
    .filter(({ at }) => at >= since);
}
