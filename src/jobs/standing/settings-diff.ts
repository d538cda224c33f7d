import type { Context } from '../../context.ts';
import type { Meter } from '../../gauge.ts';
import { knownFeed } from '../../ledger/runs/feeds.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { RowsDiff } from '../../model.ts';
import { moment } from '../../wording/words.ts';
import { readOtherwise } from '../feeds/base.ts';
import { diffInThread, rowsOfRun } from '../guards/held-diff.ts';
import { settingsHashOf } from '../read/settings.ts';
import { readPast, type PastLimits } from '../trial/read-past.ts';

/**
 * What the settings of the configuration would make of the delivery of a feed that is live. `same`: it was read with these settings.
 * `changed`: it would be read again, and differ so; `diff` is null where that is not known, and `why` says why not. `next`: changes are live, and
 * rows of `run`, which was read with other settings, stay as they are; these settings are for what is delivered next. `nothing`: nothing of the
 * feed is live.
 */
export type SettingsDiff = {
  feed: string;
  login: string;
  state: 'same' | 'changed' | 'next' | 'nothing';
  run: string | null;
  diff: RowsDiff | null;
  why: string | null;
};

/** Reads the live delivery of a feed again, if its settings have changed since, and compares what is accepted of it. Nothing is recorded. */
export async function settingsDiff(
  { feed, login }: { feed: string; login: string },
  ctx: Context,
  { signal, meter }: { signal: AbortSignal; meter?: Meter },
): Promise<SettingsDiff> {
  const { contribution, live_settings } = await knownFeed(ctx.ledger.db, feed, login);
  const found = { feed, login, run: contribution, diff: null, why: null };
  if (contribution === null) return { ...found, state: 'nothing' };
  const settings = await settingsHashOf(feed, ctx);
  const run = await getRun(ctx.ledger.db, contribution);
  if (run.counts?.change !== undefined) {
    const other = await readOtherwise(ctx.ledger.db, run, settings);
    return other === null ? { ...found, state: 'same' } : { ...found, state: 'next', run: other.id };
  }
  if (live_settings === settings) return { ...found, state: 'same' };
  const read = await readAgain(run, ctx, { signal, meter });
  return { ...found, state: 'changed', ...read };
}

async function readAgain(run: RunRow, ctx: Context, limits: PastLimits): Promise<Pick<SettingsDiff, 'diff' | 'why'>> {
  const { bytes_pruned_at } = run;
  if (bytes_pruned_at !== null)
    return { diff: null, why: `its delivery was pruned on ${moment(bytes_pruned_at)} (keep.deliveries)` };
  const older = await rowsOfRun(run, ctx);
  if (older === null) return { diff: null, why: 'its accepted rows are damaged or missing in the archive' };
  const past = await readPast(run, ctx, limits, ({ rowsPath, detection }) => {
    const columns = Object.keys(ctx.config.offer.columns);
    const newer = { path: rowsPath, columns, kind: 'rows', tables: { '': detection.parts } } as const;
    return diffInThread(older, newer, ctx, limits.signal);
  });
  if (past.state === 'read') return { diff: past.made, why: null };
  return { diff: null, why: past.state === 'gone' ? past.why : `it would be ${past.state}: ${past.why}` };
}
