import { randomUUID } from 'node:crypto';
import type { Db } from '../ledger.ts';
import type { UploadStepRow } from '../schema/schema.ts';

/** What a step says of the service that it has nothing to do with. */
export const NOTHING_SHOWN = { service_state: null, lines: null, last_modified: null } as const;

/** Records a change of an upload. */
export async function addUploadStep(db: Db, step: Omit<UploadStepRow, 'id'>): Promise<void> {
  await db
    .insertInto('upload_steps')
    .values({ id: randomUUID(), ...step })
    .execute();
}

/** The changes of an upload, oldest first. */
export async function stepsOfUpload(db: Db, upload: string): Promise<UploadStepRow[]> {
  return db
    .selectFrom('upload_steps')
    .selectAll()
    .where('upload', '=', upload)
    .orderBy('at')
    .orderBy('lines')
    .execute();
}
