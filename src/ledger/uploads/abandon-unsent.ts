import type { Db } from '../ledger.ts';
import { addUploadStep, NOTHING_SHOWN } from '../calls/upload-steps.ts';
import { addEvent, runsOfIntent, updateRun } from '../runs/runs.ts';
import type { UploadRow } from '../schema/schema.ts';
import { updateIntent } from './intents.ts';
import { updateUpload } from './uploads.ts';

/** An intent of which nothing was sent, its attempts, and why it ends. */
type Unsent = { intent: string; uploads: Pick<UploadRow, 'id' | 'login'>[]; note: string; now: number };

/** Ends an intent of which nothing was sent; its candidates are composed again. */
export async function abandonUnsent(trx: Db, { intent, uploads, note, now }: Unsent): Promise<void> {
  for (const { id, login } of uploads) {
    await updateUpload(trx, id, { state: 'lost', note, closed_at: now });
    await addUploadStep(trx, { upload: id, login, at: now, state: 'lost', ...NOTHING_SHOWN, note });
  }
  await updateIntent(trx, intent, { result: 'failed', closed_at: now });
  for (const run of await runsOfIntent(trx, intent)) {
    await updateRun(trx, run.id, { intent: null, ...(run.outcome === null ? { stage: 'compose' as const } : {}) });
    await addEvent(trx, run.id, { at: now, stage: 'compose', message: `${note}; it is composed again` });
  }
}
