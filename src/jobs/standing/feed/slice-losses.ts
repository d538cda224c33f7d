import type { Context } from '../../../context.ts';
import type { RunRow } from '../../../ledger/schema/schema.ts';
import { verifiedAround } from '../../../ledger/uploads/accepted-uploads.ts';
import { compareKept } from '../../guards/compare-kept.ts';
import type { LiveLosses } from '../../guards/compare-with-live.ts';
import { lossesIn } from '../../guards/feed-guard.ts';
import { rejectedThere } from '../../guards/rejected-there.ts';

/**
 * The largest shares of its rows that a brand and a tag lost in an accepted delivery against the one before, as the guards measured
 * them then: what the service had rejected of what was live counts on neither side. Null when the rows can no longer be compared.
 */
export async function sliceLosses(run: RunRow, before: RunRow, ctx: Context): Promise<LiveLosses | null> {
  const { intent, login } = run;
  const around = intent === null ? null : await verifiedAround(ctx.ledger.db, { intent, login });
  const rejected = await rejectedThere(around?.before, ctx);
  return compareKept(
    before,
    run,
    async ({ older, newer }, signal) =>
      older === null ? null : lossesIn({ older, newer, without: [], rejected }, ctx, signal),
    ctx,
  );
}
