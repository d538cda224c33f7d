import { endLinksOfGone } from '../../access/supplier-links.ts';
import type { Context } from '../../context.ts';
import { backUpWhenDue } from './back-up.ts';
import { pruneDaily, pruneHome } from './prune.ts';

const DAY_MS = 86_400_000;

/**
 * What a worker does beside its sweeps, each part when it is due: backups and the daily prune, if it starts what is due at all, and the daily
 * prune of its home. At its start it ends the links of suppliers whose feeds were removed. What fails is logged, and tried again.
 */
export function upkeep(
  ctx: Context,
  stop: AbortSignal,
  { schedules, checks }: { schedules: boolean; checks: boolean },
): () => Promise<void> {
  // By the monotonic clock: a process of its own has a home of its own.
  let homePruned = -Infinity;
  let isBegun = false;
  const tryTo = async (work: () => Promise<void>, failure: string) => {
    try {
      await work();
    } catch (error) {
      if (!stop.aborted) ctx.log.warn({ err: error }, failure);
    }
  };
  return async () => {
    if (schedules) {
      if (!isBegun)
        await tryTo(async () => {
          await endLinksOfGone(ctx);
          isBegun = true;
        }, 'links of removed feeds could not be ended');
      await tryTo(() => backUpWhenDue(ctx, stop), 'backups could not be looked at');
      await tryTo(() => pruneDaily(ctx, stop), 'prune failed');
    }
    const now = ctx.clock.monotonic();
    if (!checks || now - homePruned < DAY_MS || stop.aborted) return;
    homePruned = now;
    await tryTo(() => pruneHome(ctx), 'prune failed');
  };
}
