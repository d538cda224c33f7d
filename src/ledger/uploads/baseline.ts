import type { Receipt } from '../../model.ts';
import { randomCode, timeId } from '../ids.ts';
import type { Db } from '../ledger.ts';
import type { DatasetRow } from '../schema/schema.ts';
import { updateUpload } from './uploads.ts';

/** What a login held before offerline uploaded to it: the service's record, and its file as a dataset. */
export type TakenOver = {
  record: { id: string; linesProcessed: number };
  dataset: Omit<DatasetRow, 'id' | 'created_at'>;
};

/** Records a baseline as a good upload that was never sent by us. Call it under the login's lease. */
export async function recordBaseline(db: Db, { record, dataset }: TakenOver, now: number): Promise<void> {
  const { login, rows } = dataset;
  const datasetId = timeId(now);
  const intent = timeId(now);
  const detail = `the service gave its ${rows} rows when the login was taken over`;
  const receipt: Receipt = { verified: true, checks: [{ check: 'source', result: 'ok', detail }] };
  await db
    .insertInto('datasets')
    .values({ ...dataset, id: datasetId, created_at: now })
    .execute();
  const closed = { result: 'met', closed_at: now, receipt: receipt, rejected_rows: 0 } as const;
  await db
    .insertInto('intents')
    .values({ id: intent, login, dataset: datasetId, cause: 'baseline', created_at: now, ...closed })
    .execute();
  const counters = { attempt: 1, adopted: 1, looks: 0, waits: 0, next_at: 0, wait_ms: 0, watched_ms: 0 };
  const said = { state: 'success', service_state: 'success', lines_processed: record.linesProcessed } as const;
  const row = { id: timeId(now), intent, login, token: randomCode(12), offer_id: record.id, ...counters, ...said };
  await db
    .insertInto('uploads')
    .values({ ...row, note: 'baseline: taken over from the service', created_at: now })
    .execute();
  await updateUpload(db, row.id, { closed_at: now });
}
