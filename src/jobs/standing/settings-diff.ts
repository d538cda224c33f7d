import { rm } from 'node:fs/promises';
import type { Context } from '../../context.ts';
import type { Meter } from '../../gauge.ts';
import { temporaryFolder } from '../../io/temporary-folder.ts';
import { knownFeed } from '../../ledger/runs/feeds.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { RowsDiff } from '../../model.ts';
import { messageOf } from '../../errors.ts';
import { moment } from '../../wording/words.ts';
import { usable } from '../archive/usable.ts';
import { liveHeader, liveRows } from '../feeds/live-rows.ts';
import { diffInThread, rowsOfRun } from '../guards/held-diff.ts';
import { liveDataset } from '../logins/live-dataset.ts';
import { readInWorker } from '../read/read-within.ts';
import { readAs, readSettingsOf, settingsHashOf } from '../read/settings.ts';
import { verdictOn, verdictOnError } from '../read/verdict.ts';

/**
 * What the settings of the configuration would make of the delivery of a feed that is live. `same`: it was read with these settings.
 * `changed`: it would be read again, and differ so; `diff` is null where that is not known, and `why` says why not. `nothing`: nothing
 * of the feed is live.
 */
export type SettingsDiff = {
  feed: string;
  login: string;
  state: 'same' | 'changed' | 'nothing';
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
  if (live_settings === (await settingsHashOf(feed, ctx))) return { ...found, state: 'same' };
  const run = await getRun(ctx.ledger.db, contribution);
  const read = await readAgain(run, ctx, { signal, meter });
  return { ...found, state: 'changed', ...read };
}

type Limits = { signal: AbortSignal; meter: Meter | undefined };

async function readAgain(
  run: RunRow,
  ctx: Context,
  { signal, meter }: Limits,
): Promise<Pick<SettingsDiff, 'diff' | 'why'>> {
  const { feed, login, delivery_sha, delivery_name, bytes_pruned_at } = run;
  if (bytes_pruned_at !== null)
    return unknown(`its delivery was pruned on ${moment(bytes_pruned_at)} (keep.deliveries)`);
  const older = await rowsOfRun(run, ctx);
  if (older === null || delivery_sha === null || !(await usable(delivery_sha, ctx)))
    return unknown('its delivery or its rows are damaged or missing in the archive');
  const folder = await temporaryFolder('read');
  try {
    const result = await readInWorker(
      {
        path: ctx.archive.file(delivery_sha),
        name: delivery_name ?? 'delivery',
        folder,
        settings: readAs(await readSettingsOf(feed, ctx), run),
        earlier: await liveRows(feed, login, ctx),
        earlierHeader: await liveHeader(feed, login, ctx),
        live: await liveDataset(login, ctx),
        ...(meter === undefined ? {} : { meter }),
      },
      signal,
    );
    const verdict = verdictOn(result);
    if (verdict.outcome === 'held') return unknown('it would be held, because its columns or cells need a decision');
    if (verdict.outcome === 'rejected') return unknown(`it would be rejected: ${result.validation?.reason ?? ''}`);
    const columns = Object.keys(ctx.config.offer.columns);
    const newer = { path: result.rowsPath, columns, kind: 'rows', tables: { '': result.detection.parts } } as const;
    return { diff: await diffInThread(older, newer, ctx, signal), why: null };
  } catch (error) {
    if (verdictOnError(error) === null) throw error;
    return unknown(`it would be rejected: ${messageOf(error)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function unknown(why: string): Pick<SettingsDiff, 'diff' | 'why'> {
  return { diff: null, why };
}
