import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import type { Composed, ComposeInput, FeedRows } from '../compose/compose.ts';
import { trippedGuard } from '../compose/guards.ts';
import type { Config } from '../config/schema.ts';
import type { Context } from '../context.ts';
import { feedState, updateFeed } from '../ledger/feeds.ts';
import { underLease, type Lease } from '../ledger/lease.ts';
import { addEvent, decideRun, getRun, updateRun, type RunOptions } from '../ledger/runs.ts';
import type { FeedRow, IntentRow, RunRow } from '../ledger/schema.ts';
import type { Db } from '../ledger/ledger.ts';
import { createIntent, liveUpload } from '../ledger/uploads.ts';
import type { LocalCounts, RowCounts } from '../model.ts';
import { reconcile } from '../report/reconcile.ts';
import { runInThread } from '../thread.ts';
import { whatToCompose } from './what-to-compose.ts';

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

  const folder = await ctx.archive.tempFolder();
  try {
    const uploadPath = join(folder, 'upload');
    const indexPath = join(folder, 'index');
    const { feeds, expected } = await feedRows(states, ctx);
    const tags = ctx.config.logins[login]?.merge.tags ?? 'winner';
    const input: ComposeInput = { feeds, offer: ctx.config.offer, tags, expected, uploadPath, indexPath };
    const task = { module: new URL('../compose/compose.ts', import.meta.url), name: 'compose' };
    const composed = await runInThread<Composed>(task, input, signal);
    const upload = await ctx.archive.adopt(uploadPath);
    const index = await ctx.archive.adopt(indexPath);
    return await decideUpload({ login, lease, pending, composed, sha256: upload.sha256, index: index.sha256 }, ctx);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function feedRows(states: FeedRow[], ctx: Context): Promise<{ feeds: FeedRows[]; expected: number }> {
  let expected = 0;
  const feeds: FeedRows[] = [];
  for (const { feed, candidate, contribution } of states) {
    const run = await getRun(ctx.ledger.db, candidate ?? contribution ?? '');
    const columns = JSON.parse(run.columns ?? '[]') as string[];
    feeds.push({ feed, run: run.id, rowsPath: ctx.archive.path(run.rows_sha ?? ''), columns });
    expected += (JSON.parse(run.counts ?? '{}') as Partial<LocalCounts>).accepted ?? 0;
  }
  return { feeds, expected };
}

type Composition = {
  login: string;
  lease: Lease;
  pending: RunRow[];
  composed: Composed;
  sha256: string;
  index: string;
};

async function decideUpload(made: Composition, ctx: Context): Promise<ComposeResult> {
  const { login, pending, composed } = made;
  const live = await liveUpload(ctx.ledger.db, login);
  const asked = pending.map((run) => JSON.parse(run.options) as RunOptions);
  const forced = asked.some(({ force }) => force === true);
  if (!forced && live?.intent.result === 'met' && live.dataset.sha256 === made.sha256) {
    await settleUnchanged(made, ctx);
    return 'again';
  }
  const approved = asked.some((options) => options.approved === true);
  const held = datasetGuard(ctx.config, login, composed.rows, live?.dataset.rows ?? null);
  if (held !== null && !approved) {
    await hold(made, held, ctx);
    return 'again';
  }
  const now = ctx.clock.now();
  const intent = await underLease(ctx.ledger, made.lease, async (trx) => {
    if (!(await stillCandidates(trx, pending))) return null;
    const created = await createIntent(
      trx,
      {
        login,
        sha256: made.sha256,
        bytes: composed.bytes,
        rows: composed.rows,
        index_sha: made.index,
        parts: JSON.stringify(composed.parts),
        offer: JSON.stringify(ctx.config.offer),
        merged_tags: composed.merged === null ? null : JSON.stringify(composed.merged),
      },
      now,
    );
    for (const run of pending) {
      await updateRun(trx, run.id, {
        intent: created.id,
        ...(run.outcome === null ? { stage: 'upload' as const } : {}),
      });
      const feeds = composed.parts.map((part) => `${part.feed} ${part.rows}`).join(', ');
      await addEvent(trx, run.id, { at: now, stage: 'compose', message: `composed ${composed.rows} rows: ${feeds}` });
    }
    return created;
  });
  return intent === null ? 'again' : { intent };
}

/** False when a newer delivery took the place of one of them while they were composed: what was made is out of date. */
async function stillCandidates(trx: Db, pending: RunRow[]): Promise<boolean> {
  for (const run of pending) {
    if ((await feedState(trx, run.feed, run.login)).candidate !== run.id) return false;
  }
  return true;
}

function datasetGuard(config: Config, login: string, rows: number, previousRows: number | null): string | null {
  const { minRows, maxRowDrop, maxRowGrowth } = config.logins[login]?.guard ?? {};
  const guard = {
    ...(minRows === undefined ? {} : { minRows }),
    ...(maxRowDrop === undefined ? {} : { maxRowDrop }),
    ...(maxRowGrowth === undefined ? {} : { maxRowGrowth }),
  };
  return trippedGuard(guard, { rows, read: 0, rejected: 0, previousRows }, `the dataset of ${login}`);
}

/** What is composed is live already: nothing is sent, the candidates are contributions. */
async function settleUnchanged(made: Composition, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await underLease(ctx.ledger, made.lease, async (trx) => {
    if (!(await stillCandidates(trx, made.pending))) return;
    for (const run of made.pending) {
      await updateRun(trx, run.id, { account: JSON.stringify(await accountAsLive(trx, run, made.composed)) });
      await updateFeed(trx, run.feed, {
        candidate: null,
        contribution: run.id,
        live_sha: run.delivery_sha,
        live_settings: run.settings_hash,
        checkpoint: run.checkpoint,
      });
      const reason = 'the composed dataset equals the live one; nothing was sent';
      await decideRun(trx, run.id, { outcome: 'unchanged', reason, now });
    }
  });
}

/** The rows are live as they were before: what the service rejected of the same dataset then, it still does. */
async function accountAsLive(trx: Db, run: RunRow, composed: Composed): Promise<RowCounts> {
  const state = await feedState(trx, run.feed, run.login);
  const before = state.contribution === null ? null : (await getRun(trx, state.contribution)).account;
  return reconcile({
    local: JSON.parse(run.counts ?? '{}') as LocalCounts,
    outranked: composed.parts.find((part) => part.feed === run.feed)?.outranked ?? 0,
    rejectedRemotely: before === null ? 0 : (JSON.parse(before) as RowCounts).rejectedRemotely,
    finished: 'success',
    untraced: 0,
    errorsKnown: true,
    lines: { sent: composed.rows, processed: null },
  });
}

/** The whole dataset trips a guard: the candidates wait aside, the contributions stay live. */
async function hold(made: Composition, reason: string, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await underLease(ctx.ledger, made.lease, async (trx) => {
    if (!(await stillCandidates(trx, made.pending))) return;
    for (const run of made.pending) {
      await updateFeed(trx, run.feed, { candidate: null });
      await decideRun(trx, run.id, { outcome: 'held', reason, now });
    }
  });
}
