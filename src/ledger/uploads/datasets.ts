import type { Db } from '../ledger.ts';
import type { DatasetRow, RunRow, UploadRow } from '../schema/schema.ts';

/** The datasets that a run is part of and that are still kept, the newest first. */
export async function datasetsOf(db: Db, { id, login }: Pick<RunRow, 'id' | 'login'>): Promise<DatasetRow[]> {
  const kept = await db
    .selectFrom('datasets')
    .selectAll()
    .where('login', '=', login)
    .where('pruned_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute();
  return kept.filter(({ parts }) => parts.some(({ run }) => run === id));
}

/** The uploads of a dataset that the service called a success, the newest first. */
export async function successesOf(db: Db, dataset: string): Promise<UploadRow[]> {
  return db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .selectAll('uploads')
    .where('intents.dataset', '=', dataset)
    .where('uploads.state', '=', 'success')
    .orderBy('uploads.closed_at', 'desc')
    .execute();
}
