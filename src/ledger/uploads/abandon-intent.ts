import type { Db } from '../ledger.ts';
import { addUploadStep, NOTHING_SHOWN } from '../calls/upload-steps.ts';
import { addEvent, runsOfIntent, updateRun } from '../runs/runs.ts';
import type { UploadRow } from '../schema/schema.ts';
import { updateIntent } from './intents.ts';
import { updateUpload } from './uploads.ts';

/** An attempt at an intent. `ended`: what the service says of one that it has ended; without it nothing was sent, or it never arrived. */
type Attempt = Pick<UploadRow, 'id' | 'login'> & { ended?: Pick<UploadRow, 'state'> & Partial<UploadRow> };

/** An intent with which nobody goes on, its attempts, and why it ends. */
type Abandoned = { intent: string; uploads: Attempt[]; note: string; now: number };

/** Ends an intent that has made nothing live, or nothing that still is; its candidates are composed again. */
export async function abandonIntent(trx: Db, { intent, uploads, note, now }: Abandoned): Promise<void> {
  for (const { id, login, ended } of uploads) {
    const { state, service_state = null, lines_processed = null, record } = ended ?? { state: 'lost' };
    await updateUpload(trx, id, { ...ended, state, note, closed_at: now });
    const shown = { service_state, lines: lines_processed, last_modified: record?.lastModified ?? null };
    await addUploadStep(trx, {
      upload: id,
      login,
      at: now,
      state,
      ...(ended === undefined ? NOTHING_SHOWN : shown),
      note,
    });
  }
  const accepted = uploads.some(({ ended }) => ended?.state === 'success');
  await updateIntent(trx, intent, { result: accepted ? 'unproved' : 'failed', closed_at: now });
  for (const run of await runsOfIntent(trx, intent)) {
    await updateRun(trx, run.id, { intent: null, ...(run.outcome === null ? { stage: 'compose' as const } : {}) });
    await addEvent(trx, run.id, { at: now, stage: 'compose', message: `${note}; it is composed again` });
  }
}
