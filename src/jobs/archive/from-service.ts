import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { successesOf } from '../../ledger/uploads/datasets.ts';
import { findUpload } from '../../ledger/uploads/uploads.ts';
import { downloadSource } from '../../upload/receipt/compare-source.ts';
import { saveDownload } from '../../upload/tables/download.ts';
import type { Rebuilding } from './rebuilding.ts';

/** Downloads the file that the service keeps for an upload of the dataset. */
export async function datasetFromService({ owner, folder, keep, ctx, signal }: Rebuilding): Promise<void> {
  for (const { offer_id: offerId, login } of await successesOf(ctx.ledger.db, owner)) {
    if (offerId === null || ctx.config.logins[login] === undefined) continue;
    const path = join(folder, offerId.replaceAll(/\D/g, '_'));
    await downloadSource({ offerId, login, signal: inTime(signal, ctx) }, path, ctx);
    if (await keep(path)) return;
  }
}

/** Downloads the `.errors` file of an upload again; the service keeps it for 90 days. */
export async function errorsFromService({ owner, folder, keep, ctx, signal }: Rebuilding): Promise<void> {
  const upload = await findUpload(ctx.ledger.db, owner);
  if (upload.offer_id === null || ctx.config.logins[upload.login] === undefined) return;
  const bounded = inTime(signal, ctx);
  const body = await ctx.offers(upload.login).errors(upload.offer_id, bounded);
  const path = join(folder, 'errors');
  const what = `the .errors file of upload ${upload.offer_id}`;
  await saveDownload(body, { what, path, limit: ctx.config.limits.downloadSize, signal: bounded });
  await keep(path);
}

/** A service that does not answer must not block a command that only reads. */
function inTime(signal: AbortSignal, ctx: Context): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ctx.config.service.poll.stall)]);
}
