import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { damageOf } from '../../archive/kept-file.ts';
import type { UploadContext } from '../context.ts';
import { isServiceError } from '../../errors.ts';
import { setDone } from '../../gauge.ts';
import { offerOf, type DatasetRow } from '../../ledger/schema/schema.ts';
import { runInThread } from '../../threads/thread.ts';
import { saveDownload } from '../tables/download.ts';
import type { CompareInput, Comparison } from './rows-digest.ts';

/** One upload of the service and the dataset that it may hold. */
export type SourceQuestion = { offerId: string; dataset: DatasetRow; login: string; signal: AbortSignal };

/** Whether the file that the service keeps for an upload holds the dataset's rows; null when it cannot be read now. */
export async function compareSource(question: SourceQuestion, ctx: UploadContext): Promise<boolean | null> {
  try {
    return (await compareWithSource(question, ctx)).same;
  } catch (error) {
    question.signal.throwIfAborted();
    if (damageOf(error) !== null || isServiceError(error)) return null;
    throw error;
  }
}

/**
 * Downloads `offer/source` and compares it with the dataset: the same bytes hold the same rows, any others are compared row by row.
 * Fails with the service's error.
 */
export async function compareWithSource(question: SourceQuestion, ctx: UploadContext): Promise<Comparison> {
  return withSource(question, ctx, (source) => compareDownloaded(source, question, ctx));
}

/** The file that the service keeps for an upload, as long as it is here, and a folder for what is made of it. */
export type Source = { path: string; sha256: string; folder: string };

/** Downloads `offer/source` and lets `work` see it. Fails with the service's error. */
export async function withSource<T>(
  question: Omit<SourceQuestion, 'dataset'>,
  ctx: UploadContext,
  work: (source: Source) => Promise<T>,
): Promise<T> {
  const folder = await ctx.archive.tempFolder();
  const path = join(folder, 'source');
  try {
    return await work({ path, sha256: await downloadSource(question, path, ctx), folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Compares a downloaded file with the dataset. */
export async function compareDownloaded(
  { path, sha256 }: Source,
  { dataset, login, signal }: SourceQuestion,
  ctx: UploadContext,
): Promise<Comparison> {
  const { rows } = dataset;
  const input: CompareInput = {
    sourcePath: path,
    indexPath: ctx.archive.file(dataset.index_sha),
    columns: Object.keys(offerOf(dataset).columns),
  };
  const task = { module: new URL('./rows-digest.ts', import.meta.url), name: 'compareRows' };
  return ctx.gauges.during(login, { stage: 'prove', unit: 'rows', total: 2 * rows }, async (meter) => {
    if (sha256 !== dataset.sha256)
      return runInThread<Comparison>(task, { ...input, meter } satisfies CompareInput, signal);
    setDone(meter, 2 * rows);
    return { same: true, sentRows: rows, sourceRows: rows };
  });
}

/**
 * Downloads the file that the service keeps for an upload, within `limits.downloadSize`, and answers with its SHA-256. Fails with the
 * service's error.
 */
export async function downloadSource(
  { offerId, login, signal }: Omit<SourceQuestion, 'dataset'>,
  path: string,
  ctx: UploadContext,
): Promise<string> {
  const body = await ctx.offers(login).source(offerId, signal);
  const what = `the source of upload ${offerId}`;
  const limit = ctx.config.limits.downloadSize;
  return ctx.gauges.during(login, { stage: 'fetch', unit: 'bytes', total: null }, (meter) =>
    saveDownload(body, { what, path, limit, signal, meter }),
  );
}
