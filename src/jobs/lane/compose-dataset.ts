import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import type { FeedRows } from '../../compose/add-feed.ts';
import type { Composed, ComposeInput } from '../../compose/compose.ts';
import { shownPath } from '../../archive/kept-file.ts';
import type { Context } from '../../context.ts';
import { forgetDeparted } from '../../ledger/uploads/departures.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import { clearCandidate } from '../../ledger/runs/feeds.ts';
import { decideRun, getRun } from '../../ledger/runs/runs.ts';
import { offerOf, type DatasetRow, type FeedRow, type RunRow } from '../../ledger/schema/schema.ts';
import { runInThread } from '../../threads/thread.ts';
import { noteLeaving } from '../archive/incident.ts';
import { FROM_INDEX } from '../archive/rebuild-dataset.ts';
import { usable } from '../archive/usable.ts';
import { leavingFeeds } from '../feeds/leaving.ts';
import type { ComposeStep, Composition, Lane } from './lane-facts.ts';

/** What composes a dataset, in a thread. */
export const COMPOSE = { module: new URL('../../compose/compose.ts', import.meta.url), name: 'compose' };

/** Composes the next dataset of a login and archives it; null when rows of a candidate are lost, whose run ends with that. */
export async function composeDataset(
  { next: { states, pending }, current, verified }: ComposeStep,
  lane: Lane,
  ctx: Context,
): Promise<Composition | null> {
  const { login, signal } = lane;
  if (await dropLost(pending, lane, ctx)) return null;
  // As guards do: a feed that is missing only in what was not proved has yet to leave.
  const good = (verified ?? current)?.dataset ?? null;
  const leaving = await leavingFeeds(login, good, ctx);
  await forgetDeparted(
    ctx.ledger.db,
    login,
    leaving.map(({ feed }) => feed),
  );
  const folder = await ctx.archive.tempFolder();
  try {
    const uploadPath = join(folder, 'upload');
    const indexPath = join(folder, 'index');
    const kept = [...states.map(newestRows), ...leaving.filter(({ stays }) => stays)];
    const { feeds, expected } = await feedRows(kept, good, folder, ctx, signal);
    const tags = ctx.config.logins[login]?.merge.tags ?? 'winner';
    const input: ComposeInput = { feeds, offer: ctx.config.offer, tags, expected, uploadPath, indexPath };
    const composed = await ctx.gauges.during(login, { stage: 'compose', unit: 'rows', total: expected }, (meter) =>
      runInThread<Composed>(COMPOSE, { ...input, meter } satisfies ComposeInput, signal),
    );
    const { sha256 } = await ctx.archive.adopt(uploadPath, composed.upload);
    const index = await ctx.archive.adopt(indexPath, composed.index);
    const goes = leaving.filter(({ stays }) => !stays);
    return { login, pending, leaving: goes, composed, sha256, index: index.sha256 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function newestRows({ feed, candidate, contribution }: FeedRow): { feed: string; run: string } {
  return { feed, run: candidate ?? contribution ?? '' };
}

async function feedRows(
  of: { feed: string; run: string }[],
  live: DatasetRow | null,
  folder: string,
  ctx: Context,
  signal: AbortSignal,
): Promise<{ feeds: FeedRows[]; expected: number }> {
  let expected = 0;
  const feeds: FeedRows[] = [];
  for (const { feed, run: id } of of) {
    const run = await getRun(ctx.ledger.db, id);
    const rows = await rowsToCompose(run, live, join(folder, `rows-${feeds.length}`), ctx, signal);
    if (rows === null) await noteLeaving(run.login, feed, ctx);
    else feeds.push({ ...rows, feed });
    expected += run.counts?.accepted ?? 0;
  }
  return { feeds, expected };
}

/**
 * What a feed contributes: its accepted rows or, when the archive has lost them, those that it has in the live dataset, so that no
 * upload takes away what is live. Null when that is lost as well.
 */
export async function rowsToCompose(
  run: RunRow,
  live: DatasetRow | null,
  path: string,
  ctx: Context,
  signal: AbortSignal,
): Promise<FeedRows | null> {
  const { id, feed } = run;
  if (await usable(run.rows_sha ?? '', ctx, signal)) {
    const columns = run.columns ?? [];
    return { feed, run: id, rowsPath: ctx.archive.file(run.rows_sha ?? ''), columns };
  }
  const parts = live === null ? [] : live.parts;
  const part = parts.find((one) => one.feed === feed && one.run === id);
  if (live === null || part === undefined || !(await usable(live.index_sha, ctx, signal))) return null;
  const input = { index: ctx.archive.file(live.index_sha), path, feed };
  await runInThread<number>({ module: FROM_INDEX, name: 'feedRowsFromIndex' }, input, signal);
  return { feed, run: id, rowsPath: path, columns: Object.keys(offerOf(live).columns), outranked: part.outranked };
}

/** A candidate whose rows are lost cannot go live: its run ends, what was live stays. True when there was one. */
async function dropLost(pending: RunRow[], { lease, signal }: Lane, ctx: Context): Promise<boolean> {
  let dropped = false;
  for (const run of pending) {
    if (await usable(run.rows_sha ?? '', ctx, signal)) continue;
    dropped = true;
    const path = shownPath(ctx.archive.file(run.rows_sha ?? ''));
    const reason = { code: 'rows-damaged', path, feed: run.feed } as const;
    await withFencedTransaction(ctx.ledger, lease, async (trx) => {
      await clearCandidate(trx, run);
      await decideRun(trx, run.id, { outcome: 'failed', cause: 'damaged-archive', reason, now: ctx.clock.now() });
    });
  }
  return dropped;
}
