import { join } from 'node:path';
import { tagKey } from '../../compose/offer-file.ts';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Context } from '../../context.ts';
import { dictionary } from '../../io/dictionary.ts';
import { feedState } from '../../ledger/runs/feeds.ts';
import { datasetsOf } from '../../ledger/uploads/datasets.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { findRun, listRuns } from '../../ledger/runs/runs.ts';
import { offerOf, type RunRow } from '../../ledger/schema/schema.ts';
import { newestAttempt } from '../../ledger/uploads/uploads.ts';
import { runInThread } from '../../threads/thread.ts';
import { rejectionFiles, traceDataset } from '../../upload/errors/trace-upload.ts';
import { liveDataset } from '../logins/live-dataset.ts';
import { writtenBefore } from '../read/changes/full-list.ts';
import { putUpon, type BaseRows } from '../read/changes/put-upon.ts';
import { asChanges } from '../read/plan/plan-change.ts';
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
  const isChange = run.counts?.change !== undefined;
  const settings = (isChange ? asChanges : same)(readAs(await readSettingsOf(run.feed, ctx), run));
  const base = isChange ? await baseRows(run, whole, ctx) : null;
  if (base === 'lost') return;
  const delivery = { path: ctx.archive.file(run.delivery_sha), name: run.delivery_name ?? 'delivery' };
  const live = await liveDataset(run.login, ctx);
  const before = run.base === null ? null : await findRun(ctx.ledger.db, run.base);
  const written = isChange ? { writtenBefore: await writtenBefore(ctx.ledger.db, before ?? null) } : {};
  for (const earlier of await earlierDeliveries(run, ctx)) {
    const input = { ...delivery, folder, settings, live, ...written, ...earlier };
    const read = await readInWorker(input, signal);
    const keys = run.columns ?? [];
    const result = isChange ? await putUpon(read, base, { ...input, keys, signal }) : read;
    if (result.validation === null) return;
    const sample = result.seen?.samplePath ?? null;
    if ((await keep(result.rowsPath)) || (await keep(result.issuesPath))) return;
    if (sample !== null && (await keep(sample))) return;
  }
}

function same(settings: ReadSettings): ReadSettings {
  return settings;
}

/** The rows that the changes of a run were put upon; null where there were none. */
async function baseRows(
  { base }: RunRow,
  whole: Rebuilding['whole'],
  { ledger, archive }: Context,
): Promise<BaseRows | 'lost' | null> {
  if (base === null) return null;
  const run = await findRun(ledger.db, base);
  if (run?.rows_sha == null || !(await whole(run.rows_sha, 'rows', base))) return 'lost';
  const { columns, detection, entry, delivery_name, rows_sha } = run;
  const name = entry ?? delivery_name ?? 'delivery';
  return { run: base, name, path: archive.file(rows_sha), columns: columns ?? [], parts: detection?.parts ?? [] };
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
export async function traceAgain(work: Rebuilding): Promise<void> {
  const run = await findRun(work.ctx.ledger.db, work.owner);
  if (run?.intent == null) return;
  const mine = (await traced(run.intent, work))[run.feed];
  if (mine !== undefined) await work.keep(mine);
}

/** Traces those of all feeds in what an intent made live. */
export async function traceIntent(work: Rebuilding): Promise<void> {
  for (const path of Object.values(await traced(work.owner, work))) if (await work.keep(path)) return;
}

/** The rejections in the upload of an intent, by feed; none where what they are traced with is lost. */
async function traced(intent: string, { folder, whole, ctx, signal }: Rebuilding): Promise<Record<string, string>> {
  const dataset = await getDataset(ctx.ledger.db, (await getIntent(ctx.ledger.db, intent)).dataset);
  const upload = await newestAttempt(ctx.ledger.db, intent);
  if (!(await whole(dataset.index_sha, 'index', dataset.id))) return dictionary();
  const errors = upload?.errors_sha ?? null;
  if (errors !== null && !(await whole(errors, 'errors', upload?.id ?? ''))) return dictionary();
  const parts = dataset.parts;
  const outputs = rejectionFiles(
    parts.map(({ feed }) => feed),
    folder,
  );
  const tagColumn = tagKey(offerOf(dataset));
  await traceDataset({ dataset, errorsSha: errors, tagColumn, unusable: null, signal }, outputs, ctx);
  return outputs;
}
