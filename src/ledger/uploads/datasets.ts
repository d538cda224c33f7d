import { dictionary } from '../../io/dictionary.ts';
import type { TablePart } from '../../model.ts';
import type { Db } from '../ledger.ts';
import type { DatasetPart } from '../schema/json-values.ts';
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

/** The tables of the files that the parts of a dataset came from, by feed. */
export async function tablesOf(db: Db, parts: DatasetPart[]): Promise<Record<string, TablePart[]>> {
  const ids = parts.map(({ run }) => run);
  const runs =
    ids.length === 0 ? [] : await db.selectFrom('runs').select(['id', 'detection']).where('id', 'in', ids).execute();
  const tables = new Map(runs.map(({ id, detection }) => [id, detection?.parts ?? []]));
  return dictionary(parts.map(({ feed, run }) => [feed, tables.get(run) ?? []]));
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
