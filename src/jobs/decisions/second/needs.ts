import { trippedGuard, trippedSignals } from '../../../compose/guards.ts';
import { feedGuard } from '../../../config/schema/feed-settings.ts';
import type { Config, Guard } from '../../../config/schema/schema.ts';
import type { Context } from '../../../context.ts';
import { own } from '../../../io/dictionary.ts';
import { knownFeed } from '../../../ledger/runs/feeds.ts';
import { getRun } from '../../../ledger/runs/runs.ts';
import type { RunRow } from '../../../ledger/schema/schema.ts';
import { reasonOfRun } from '../../../wording/reasons/run-reasons.ts';
import { guardedNumbers, leftOutBefore } from '../../guards/feed-guard.ts';
import { shrunkPartner } from '../../guards/several-files.ts';

/** Whether approving a held run needs a second person. The settings of its feed go before those of its login, and these before the installation's. */
export async function approvalNeedsSecond(run: RunRow, ctx: Context): Promise<boolean> {
  const asked = approvalSecond(run, ctx.config);
  if (typeof asked === 'boolean') return asked;
  const may = await mayTrip(run, ctx);
  return asked.some((guard) => may.has(guard));
}

/** For which held runs of a feed an approval needs a second person: for all, for none, or for those that trip one of these guards. */
export function approvalSecond(
  { feed, login }: Pick<RunRow, 'feed' | 'login'>,
  config: Config,
): boolean | readonly string[] {
  return (
    own(config.feeds, feed)?.decisions?.approve?.second ??
    own(config.logins, login)?.decisions?.approve?.second ??
    config.decisions?.approve?.second ??
    false
  );
}

/** The guards that compare rows, in the order in which they are asked, once all that counts can tell has passed. */
const BY_ROWS: readonly (keyof Guard)[] = ['maxPartsGone', 'maxBrandDrop', 'maxTagDrop'];

/** Whether going back to an earlier dataset of a login needs a second person. */
export function rollbackNeedsSecond(login: string, config: Config): boolean {
  const asked = own(config.logins, login)?.decisions?.rollback ?? config.decisions?.rollback;
  return asked?.second ?? false;
}

/**
 * The guards that a held run trips or may trip: the one that held it, all that counts can tell, and those that were not asked, because they
 * compare rows and something else had held the file before. A frozen feed's file is held before any guard is asked.
 */
async function mayTrip(run: RunRow, ctx: Context): Promise<Set<string>> {
  const reason = reasonOfRun(run);
  const named = reason !== null && typeof reason !== 'string' && reason.code === 'guard' ? [reason.tripped.guard] : [];
  if (run.counts === null) return new Set(named);
  const { contribution } = await knownFeed(ctx.ledger.db, run.feed, run.login);
  const live = contribution === null ? null : await getRun(ctx.ledger.db, contribution);
  const numbers = guardedNumbers(run.counts, live?.counts?.accepted ?? null, undefined, leftOutBefore(live));
  const whose = { feed: run.feed };
  const guard = feedGuard(ctx.config, run.feed);
  const counted = Object.entries(guard).flatMap(([name, limit]) => {
    const alone: Guard = { [name]: limit };
    return trippedGuard(alone, numbers, whose) ?? trippedSignals(alone, run.signals, whose) ?? [];
  });
  const asked = BY_ROWS.findIndex((name) => named.includes(name));
  const unasked = live === null ? [] : BY_ROWS.slice(asked + 1).filter((name) => guard[name] !== undefined);
  const partners = shrunkPartner(run, live, guard) === null ? [] : ['maxRowDrop'];
  return new Set([...named, ...counted.map((one) => one.guard), ...partners, ...unasked]);
}
