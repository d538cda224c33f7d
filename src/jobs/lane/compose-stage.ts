import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import type { Composed, ComposeInput, FeedRows } from '../../compose/compose.ts';
import { shownPath } from '../../archive/kept-file.ts';
import type { Context } from '../../context.ts';
import { isLeaseLost } from '../../errors.ts';
import { forgetDeparted } from '../../ledger/uploads/departures.ts';
import { withFencedTransaction, type Lease } from '../../ledger/lease.ts';
import { clearCandidate } from '../../ledger/runs/feeds.ts';
import { isLedgerAway } from '../../ledger/engines/postgres-reconnect.ts';
import { decideRun, getRun } from '../../ledger/runs/runs.ts';
import { offerOf, type DatasetRow, type FeedRow, type IntentRow, type RunRow } from '../../ledger/schema/schema.ts';
import { lastVerified, latestAccepted } from '../../ledger/uploads/accepted-uploads.ts';
import { runInThread } from '../../threads/thread.ts';
import { noteLeaving } from '../archive/incident.ts';
import { FROM_INDEX } from '../archive/rebuild-dataset.ts';
import { usable } from '../archive/usable.ts';
import { leavingFeeds } from '../feeds/leaving.ts';
import { composeFailed, giveUpCandidates, takeApart } from './compose-failure.ts';
import { countingDeaths, reasonOfDeaths, suspicionOf } from '../feeds/deaths.ts';
import { decideUpload } from './decide-upload.ts';
import { whatToCompose, type ToCompose } from '../feeds/what-to-compose.ts';

/** What composing came to. */
export type ComposeResult = { intent: IntentRow } | { waitUntil: number } | 'nothing-to-do' | 'again';

/**
 * Composes the newest dataset of a login from its feeds' candidates and contributions and decides to upload it, once the
 * oldest waiting candidate has waited for `coalesce` (not when someone waits). `again`: what was
 * pending needs no upload, or something newer came.
 */
export async function composeDataset(
  login: string,
  lease: Lease,
  ctx: Context,
  signal: AbortSignal,
): Promise<ComposeResult> {
  const { states, pending, due } = await whatToCompose(login, ctx);
  if (pending.length === 0) return 'nothing-to-do';
  if (due > ctx.clock.now()) return { waitUntil: due };
  const { givenUp, suspected } = await suspicionOf(pending, 'compose', ctx);
  if (givenUp.length > 0) {
    await giveUpCandidates(givenUp, reasonOfDeaths, lease, ctx);
    return 'again';
  }
  if (suspected && pending.length > 1) {
    await takeApart(pending, 'processes died while their rows were composed together', lease, ctx);
    return 'again';
  }
  try {
    return await countingDeaths(pending, { stage: 'compose', suspected }, ctx, () =>
      compose({ login, lease, states, pending }, ctx, signal),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (isLeaseLost(error) || isLedgerAway(error)) throw error;
    return composeFailed(pending, error, lease, ctx);
  }
}

type Composing = { login: string; lease: Lease } & Pick<ToCompose, 'states' | 'pending'>;

async function compose(
  { login, lease, states, pending }: Composing,
  ctx: Context,
  signal: AbortSignal,
): Promise<{ intent: IntentRow } | 'again'> {
  if (await dropLost(pending, lease, ctx, signal)) return 'again';
  const live = (await latestAccepted(ctx.ledger.db, login)) ?? null;
  // As guards do: a feed that is missing only in what was not proved has yet to leave.
  const good = (await lastVerified(ctx.ledger.db, login)) ?? live;
  const leaving = await leavingFeeds(login, good?.dataset ?? null, ctx);
  await forgetDeparted(
    ctx.ledger.db,
    login,
    leaving.map(({ feed }) => feed),
  );
  const folder = await ctx.archive.tempFolder();
  try {
    const uploadPath = join(folder, 'upload');
    const indexPath = join(folder, 'index');
    const { feeds, expected } = await feedRows(
      [...states.map(newestRows), ...leaving.filter(({ stays }) => stays)],
      good?.dataset ?? null,
      folder,
      ctx,
      signal,
    );
    const tags = ctx.config.logins[login]?.merge.tags ?? 'winner';
    const input: ComposeInput = { feeds, offer: ctx.config.offer, tags, expected, uploadPath, indexPath };
    const task = { module: new URL('../../compose/compose.ts', import.meta.url), name: 'compose' };
    const composed = await runInThread<Composed>(task, input, signal);
    const upload = await ctx.archive.adopt(uploadPath, composed.upload);
    const index = await ctx.archive.adopt(indexPath, composed.index);
    const goes = leaving.filter(({ stays }) => !stays);
    const made = { login, lease, pending, live, leaving: goes, composed, sha256: upload.sha256, index: index.sha256 };
    return await decideUpload(made, ctx, signal);
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
    const rows = await rowsOf(run, live, join(folder, `rows-${feeds.length}`), ctx, signal);
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
async function rowsOf(
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
async function dropLost(pending: RunRow[], lease: Lease, ctx: Context, signal: AbortSignal): Promise<boolean> {
  let dropped = false;
  for (const run of pending) {
    if (await usable(run.rows_sha ?? '', ctx, signal)) continue;
    dropped = true;
    const path = shownPath(ctx.archive.file(run.rows_sha ?? ''));
    const reason = `its accepted rows are damaged or missing in the archive (${path}) and could not be made again; \`offerline ingest ${run.feed} --force\` brings the file in once more`;
    await withFencedTransaction(ctx.ledger, lease, async (trx) => {
      await clearCandidate(trx, run);
      await decideRun(trx, run.id, { outcome: 'failed', cause: 'damaged-archive', reason, now: ctx.clock.now() });
    });
  }
  return dropped;
}
