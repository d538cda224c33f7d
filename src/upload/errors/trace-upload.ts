import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dictionary } from '../../io/dictionary.ts';
import { offerOf, type DatasetRow, type UploadRow } from '../../ledger/schema/schema.ts';
import { runInThread } from '../../threads/thread.ts';
import type { UploadContext } from '../context.ts';
import { errorsAnnounced } from './fetch-errors.ts';
import type { TraceInput } from './trace.ts';
import type { Traced } from './write-rejections.ts';

/** A dataset and what the service rejected of it. */
export type TraceFacts = {
  dataset: DatasetRow;
  /** The hash of the archived `.errors` file, or null. */
  errorsSha: string | null;
  /** The list column whose values the service calls tags, if there is one. */
  tagColumn: string | null;
  /** Why the archived files cannot be used, or null: then nothing is traced. */
  unusable: string | null;
  signal: AbortSignal;
};

/** The rejections of an upload. */
export type TracedUpload = {
  traced: Traced;
  /** Hash of each feed's traced rejections in the archive. */
  rejections: Record<string, string>;
  /** The service said that it rejected rows, and which ones is not known. */
  errorsMissing: boolean;
};

/** Traces the rejections of an upload and archives them by feed. */
export async function traceUpload(
  facts: TraceFacts & { upload: Pick<UploadRow, 'record'>; feeds: string[] },
  ctx: UploadContext,
): Promise<TracedUpload> {
  const folder = await ctx.archive.tempFolder();
  try {
    const outputs = rejectionFiles(facts.feeds, folder);
    const traced = await traceDataset(facts, outputs, ctx);
    const rejections = dictionary<string>();
    for (const [feed, path] of Object.entries(outputs)) rejections[feed] = (await ctx.archive.adopt(path)).sha256;
    return { traced, rejections, errorsMissing: areErrorsMissing(facts, traced) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where the rejections of each feed are written in a folder. */
export function rejectionFiles(feeds: readonly string[], folder: string): Record<string, string> {
  return dictionary(feeds.map((feed, at) => [feed, join(folder, `rejections-${at}`)] as const));
}

/** Traces the rejections of a dataset in a thread, and writes those of each feed to its output. */
export async function traceDataset(
  { dataset, errorsSha, tagColumn, unusable, signal }: TraceFacts,
  outputs: Record<string, string>,
  { archive, gauges }: UploadContext,
): Promise<Traced> {
  if (unusable !== null) {
    for (const path of Object.values(outputs)) await writeFile(path, '');
    return { ...NOTHING_TRACED, unreadable: unusable };
  }
  const { columns, tagSeparator } = offerOf(dataset);
  const input: TraceInput = {
    errorsPath: errorsSha === null ? null : archive.file(errorsSha),
    indexPath: archive.file(dataset.index_sha),
    columns: Object.keys(columns),
    tagSeparator,
    tagColumn,
    outputs,
  };
  const task = { module: new URL('./trace.ts', import.meta.url), name: 'traceRejections' };
  return gauges.during(dataset.login, { stage: 'trace', unit: null, total: null }, () =>
    runInThread<Traced>(task, input, signal),
  );
}

const NOTHING_TRACED = { rejectedRows: {}, rejections: {}, untraced: 0, liveTags: [], rejectedTags: [] };

/** Whether the service said that it rejected rows, and which ones is not known. */
export function areErrorsMissing(
  { upload, errorsSha }: { upload: Pick<UploadRow, 'record'>; errorsSha: string | null },
  traced: Traced,
): boolean {
  return (errorsSha === null && errorsAnnounced(upload)) || traced.unreadable !== null;
}
