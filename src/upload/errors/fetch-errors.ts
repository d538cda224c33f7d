import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadContext } from '../context.ts';
import type { UploadRow } from '../../ledger/schema/schema.ts';
import { saveDownload } from '../tables/download.ts';

/**
 * Archives the `.errors` file of a finished upload and gives its hash, or null when the service announces none. Do it at
 * once: the service keeps it for 90 days only. Fails with the service's error.
 */
export async function fetchErrors(upload: UploadRow, ctx: UploadContext, signal: AbortSignal): Promise<string | null> {
  if (upload.errors_sha !== null) return upload.errors_sha;
  if (!errorsAnnounced(upload) || upload.offer_id === null) return null;
  const folder = await ctx.archive.tempFolder();
  try {
    const path = join(folder, 'errors');
    const body = await ctx.offers(upload.login).errors(upload.offer_id, signal);
    const what = `the .errors file of upload ${upload.offer_id}`;
    await saveDownload(body, { what, path, limit: ctx.config.limits.downloadSize, signal });
    return (await ctx.archive.adopt(path)).sha256;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** True when the service says that an errors file can be downloaded. */
export function errorsAnnounced(upload: Pick<UploadRow, 'record'>): boolean {
  return upload.record !== null && upload.record.errorFileExists;
}
