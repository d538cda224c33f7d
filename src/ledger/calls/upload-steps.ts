import { randomUUID } from 'node:crypto';
import type { Db } from '../ledger.ts';
import type { UploadStepRow } from '../schema/schema.ts';

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
