import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { isServiceError } from '../../errors.ts';
import { withFencedTransaction } from '../../ledger/lease.ts';
import { addEvent } from '../../ledger/runs/runs.ts';
import type { DatasetRow, RunRow } from '../../ledger/schema/schema.ts';
import { recordBaseline } from '../../ledger/uploads/baseline.ts';
import { runInThread } from '../../threads/thread.ts';
import type { Listed } from '../../upload/protocol/attempt.ts';
import type { Baseline, BaselineInput } from '../../upload/receipt/baseline.ts';
import { downloadSource } from '../../upload/receipt/compare-source.ts';
import type { Findings, StepOf, Watching, WatchFacts } from './watch-facts.ts';

/**
 * Before a login's first upload: the dataset that the service already holds is downloaded and archived as the baseline. It is
 * the first rollback target, and the login's guard compares with it. When it cannot be had, that is said and the upload goes on.
 */
export async function takeOver(
  { record }: StepOf<'take-over'>,
  { pending }: WatchFacts,
  work: Watching,
  ctx: Context,
): Promise<Findings> {
  const baseline = await downloadLive(record, work, ctx);
  if (!('unavailable' in baseline)) {
    await withFencedTransaction(ctx.ledger, work.lease, (trx) =>
      recordBaseline(trx, { record, dataset: baseline.dataset }, ctx.clock.now()),
    );
  }
  await note(work.login, baselineText(record, work, baseline), pending, ctx);
  return { judged: true };
}

/** Brings what a service holds into the archive, as a dataset that nothing refers to yet, or says why it cannot be had. */
export async function downloadLive(
  live: Listed,
  { login, signal }: Pick<Watching, 'login' | 'signal'>,
  ctx: Context,
): Promise<Download> {
  const folder = await ctx.archive.tempFolder();
  try {
    return await download({ login, signal }, live, folder, ctx);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What people read of a baseline. */
function baselineText(live: Listed, work: Watching, baseline: { rows: number } | Unavailable): string {
  if ('unavailable' in baseline) {
    return `the dataset that the service holds (upload ${live.id}) cannot be taken over as a baseline: ${baseline.unavailable}; there will be no rollback to it, and no guard compares with it`;
  }
  const { rows } = baseline;
  const back = rows === 0 ? '' : `; \`offerline rollback ${work.login} --to ${live.id}\` makes it live again`;
  return `took over what the service held: upload ${live.id}, ${rows} rows, is the baseline${back}`;
}

type Unavailable = { unavailable: string };
type Download = { rows: number; dataset: Omit<DatasetRow, 'id' | 'created_at'> } | Unavailable;

async function download(
  { login, signal }: Pick<Watching, 'login' | 'signal'>,
  live: Listed,
  folder: string,
  ctx: Context,
): Promise<Download> {
  const late = AbortSignal.timeout(ctx.config.service.poll.stall);
  const path = join(folder, 'source');
  const indexPath = join(folder, 'index');
  try {
    const bounded = AbortSignal.any([signal, late]);
    await downloadSource({ offerId: live.id, login, signal: bounded }, path, ctx);
    const { offer } = ctx.config;
    const input: BaselineInput = { sourcePath: path, indexPath, offer };
    const task = { module: new URL('../../upload/receipt/baseline.ts', import.meta.url), name: 'readBaseline' };
    const read = await runInThread<Baseline>(task, input, bounded);
    const upload = await ctx.archive.adopt(path);
    const index = await ctx.archive.adopt(indexPath);
    const facts = {
      login,
      merged_tags: null,
      pruned_at: null,
      sha256: upload.sha256,
      bytes: upload.bytes,
      rows: read.rows,
      index_sha: index.sha256,
    };
    return { rows: read.rows, dataset: { ...facts, parts: [], offer: read.offer } };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { unavailable: 'the download took longer than service.poll.stall' };
    if (!isServiceError(error)) throw error;
    return { unavailable: error.message.replace(/\.$/, '') };
  }
}

async function note(login: string, message: string, pending: readonly RunRow[], ctx: Context): Promise<void> {
  ctx.log.info({ login, message }, 'takeover');
  for (const { id } of pending) await addEvent(ctx.ledger.db, id, { at: ctx.clock.now(), stage: 'compose', message });
}
