import type { Context } from '../../context.ts';
import type { Gauge } from '../../gauge.ts';
import type { UploadRow } from '../../ledger/schema/schema.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { openUpload } from '../../ledger/uploads/uploads.ts';

/**
 * Follows the uploads of a login: each call says what is new about the open one, and answers with how far the login's work is,
 * here or at the service.
 */
export function followUploads(login: string, say: (note: string) => void, ctx: Context): () => Promise<Gauge | null> {
  let seen: UploadRow | undefined;
  return async () => {
    const upload = await openUpload(ctx.ledger.db, login);
    if (upload !== undefined && upload.note !== null && isNews(upload, seen)) say(upload.note);
    seen = upload ?? seen;
    return ctx.gauges.of(login) ?? (await processed(upload, ctx));
  };
}

/** What is new about an upload but the count of its lines, which a gauge shows. */
function isNews(upload: UploadRow, seen: UploadRow | undefined): boolean {
  if (upload.note === seen?.note) return false;
  const isSameState = upload.id === seen?.id && upload.record !== null && upload.record.state === seen.record?.state;
  return !isSameState || upload.lines_processed === seen.lines_processed;
}

/** How far the service is with an upload that it has taken, by its own count; whichever process watches it. */
export async function processed(
  upload: UploadRow | undefined,
  { ledger }: Pick<Context, 'ledger'>,
): Promise<Gauge | null> {
  if (upload?.state !== 'submitted') return null;
  const { dataset } = await getIntent(ledger.db, upload.intent);
  return processedOf(upload, (await getDataset(ledger.db, dataset)).rows);
}

/** As `processed`, of an upload of so many rows. */
export function processedOf({ state, lines_processed: done }: UploadRow, rows: number): Gauge | null {
  if (state !== 'submitted' || done === null) return null;
  return { stage: 'process', unit: 'rows', done, total: rows };
}
