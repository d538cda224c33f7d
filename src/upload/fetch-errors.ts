import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import type { UploadRow } from '../ledger/schema.ts';
import type { ServiceState } from './attempt.ts';

/**
 * Archives the `.errors` file of a finished upload and gives its hash, or null when the service announces none. Do it at
 * once: the service keeps it for 90 days only. Fails with the service's error.
 */
export async function fetchErrors(upload: UploadRow, ctx: Context): Promise<string | null> {
  if (upload.errors_sha !== null) return upload.errors_sha;
  if (!errorsAnnounced(upload) || upload.offer_id === null) return null;
  const folder = await ctx.archive.tempFolder();
  try {
    const path = join(folder, 'errors');
    const body = await ctx.offers(upload.login).errors(upload.offer_id);
    await save(body, path);
    return (await ctx.archive.adopt(path)).sha256;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** True when the service says that an errors file can be downloaded. */
export function errorsAnnounced(upload: UploadRow): boolean {
  return upload.record !== null && (JSON.parse(upload.record) as ServiceState).errorFileExists;
}

async function save(body: NodeJS.ReadableStream, path: string): Promise<void> {
  try {
    await pipeline(body, createWriteStream(path));
  } catch (error) {
    if (systemCode(error) === 'ENOSPC') throw error;
    throw new OfferlineError('service-unreachable', `The download of the .errors file broke off: ${messageOf(error)}`, {
      retryable: true,
      cause: error,
    });
  }
}
