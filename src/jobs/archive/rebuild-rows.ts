import { join } from 'node:path';
import { tagKey } from '../../compose/offer-file.ts';
import type { Context } from '../../context.ts';
import { feedState } from '../../ledger/runs/feeds.ts';
import { datasetsOf } from '../../ledger/uploads/datasets.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { findRun, listRuns } from '../../ledger/runs/runs.ts';
import { offerOf, type RunRow } from '../../ledger/schema/schema.ts';
import { newestAttempt } from '../../ledger/uploads/uploads.ts';
import { runInThread } from '../../threads/thread.ts';
import { rejectionFiles, traceDataset } from '../../upload/errors/trace-upload.ts';
import { liveDataset } from '../logins/live-dataset.ts';
import type { ReadInput } from '../read/read.ts';
import { readInWorker } from '../read/read-within.ts';
import { readAs, readSettingsOf } from '../read/settings.ts';
import { FROM_INDEX } from './rebuild-dataset.ts';
import type { Rebuilding } from './rebuilding.ts';

/** Earlier deliveries that a run's issues may have been found by. */
const EARLIER = 3;

/** Reads the delivery of a run again, as the settings are now. Its issues also depend on what was live then. */
export async function readAgain({ owner, folder, keep, whole, ctx, signal }: Rebuilding): Promise<void> {
  const run = await findRun(ctx.ledger.db, owner);
  if (run?.delivery_sha == null || ctx.config.feeds[run.feed] === undefined) return;
  if (!(await whole(run.delivery_sha, 'delivery', run.id))) return;
  const settings = readAs(await readSettingsOf(run.feed, ctx), run);
  const delivery = { path: ctx.archive.file(run.delivery_sha), name: run.delivery_name ?? 'delivery' };
  const live = await liveDataset(run.login, ctx);
  for (const earlier of await earlierDeliveries(run, ctx)) {
    const result = await readInWorker({ ...delivery, folder, settings, live, ...earlier }, signal);
    if (result.validation === null) return;
    const sample = result.seen?.samplePath ?? null;
    if ((await keep(result.rowsPath)) || (await keep(result.issuesPath))) return;
    if (sample !== null && (await keep(sample))) return;
  }
}

/** Without any, and with those of the runs before it whose rows are whole. */
async function earlierDeliveries(run: RunRow, ctx: Context): Promise<Pick<ReadInput, 'earlier' | 'earlierHeader'>[]> {
  const { contribution } = await feedState(ctx.ledger.db, run.feed, run.login);
  const before = (await listRuns(ctx.ledger.db, { feed: run.feed, login: run.login, limit: 100 }))
    .filter((other) => other.id !== run.id && other.rows_sha !== null && other.rows_sha !== run.rows_sha)
    .filter((other) => other.id === contribution || other.created_at <= run.created_at)
    .slice(0, EARLIER);
  const found: Pick<ReadInput, 'earlier' | 'earlierHeader'>[] = [{}];
  for (const { rows_sha, columns, detection } of before) {
    if (rows_sha === null || (await ctx.archive.verify(rows_sha)) !== 'ok') continue;
    found.push({ earlier: { path: ctx.archive.file(rows_sha), columns: columns ?? [] }, earlierHeader: detection });
  }
  return found;
}

/** Takes the rows of a run out of a dataset in which it won all of its parts. */
export async function rowsFromDatasets({ owner, folder, keep, ctx, signal }: Rebuilding): Promise<void> {
  const run = await findRun(ctx.ledger.db, owner);
  if (run === undefined) return;
  for (const { index_sha, parts } of await datasetsOf(ctx.ledger.db, run)) {
    const part = parts.find((one) => one.run === run.id && one.outranked === 0);
    if (part === undefined || (await ctx.archive.verify(index_sha)) !== 'ok') continue;
    const path = join(folder, 'rows');
    const input = { index: ctx.archive.file(index_sha), path, feed: part.feed };
    await runInThread<number>({ module: FROM_INDEX, name: 'feedRowsFromIndex' }, input, signal);
    if (await keep(path)) return;
  }
}

/** Traces the rejections of a run's upload again. */
export async function traceAgain({ owner, folder, keep, whole, ctx, signal }: Rebuilding): Promise<void> {
  const run = await findRun(ctx.ledger.db, owner);
  if (run?.intent == null) return;
  const dataset = await getDataset(ctx.ledger.db, (await getIntent(ctx.ledger.db, run.intent)).dataset);
  const upload = await newestAttempt(ctx.ledger.db, run.intent);
  if (!(await whole(dataset.index_sha, 'index', dataset.id))) return;
  const errors = upload?.errors_sha ?? null;
  if (errors !== null && !(await whole(errors, 'errors', upload?.id ?? ''))) return;
  const parts = dataset.parts;
  const outputs = rejectionFiles(
    parts.map(({ feed }) => feed),
    folder,
  );
  const tagColumn = tagKey(offerOf(dataset));
  await traceDataset({ dataset, errorsSha: errors, tagColumn, unusable: null, signal }, outputs, ctx);
  const mine = outputs[run.feed];
  if (mine !== undefined) await keep(mine);
}
