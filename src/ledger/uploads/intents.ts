import { timeId } from '../ids.ts';
import type { Db } from '../ledger.ts';
import type { DatasetRow, IntentRow, UploadRow } from '../schema/schema.ts';

/** The login's open intent, if there is one. */
export async function openIntent(db: Db, login: string): Promise<IntentRow | undefined> {
  return db.selectFrom('intents').selectAll().where('login', '=', login).where('result', 'is', null).executeTakeFirst();
}

/** Records a dataset and the decision to make it live. Call it under the login's lease. */
export async function createIntent(
  db: Db,
  dataset: Omit<DatasetRow, 'id' | 'created_at' | 'merged_tags' | 'pruned_at'> &
    Partial<Pick<DatasetRow, 'merged_tags'>>,
  now: number,
): Promise<IntentRow> {
  const datasetId = timeId(now);
  await db
    .insertInto('datasets')
    .values({ ...dataset, id: datasetId, created_at: now })
    .execute();
  const intent = { login: dataset.login, dataset: datasetId, cause: 'composed', rollback_to: null } as const;
  return insertIntent(db, intent, now);
}

/** An upload whose dataset can be made live again. */
type Earlier = {
  upload: Pick<UploadRow, 'id' | 'login'>;
  intent: Pick<IntentRow, 'rollback_to'>;
  dataset: Pick<DatasetRow, 'id'>;
};

/** Records the decision to make an earlier upload's dataset live again. Call it under the login's lease. */
export async function createRollback(
  db: Db,
  to: Earlier,
  cause: 'rollback' | 'restore',
  now: number,
): Promise<IntentRow> {
  const { upload, dataset, intent } = to;
  // What is brought back again stands where it stood: the next rollback goes on from there.
  const rollback_to = cause === 'restore' ? (intent.rollback_to ?? upload.id) : upload.id;
  return insertIntent(db, { login: upload.login, dataset: dataset.id, cause, rollback_to }, now);
}

async function insertIntent(
  db: Db,
  intent: Pick<IntentRow, 'login' | 'dataset' | 'cause' | 'rollback_to'>,
  now: number,
): Promise<IntentRow> {
  const { newest } = await db
    .selectFrom('intents')
    .select((eb) => eb.fn.max('created_at').as('newest'))
    .where('login', '=', intent.login)
    .executeTakeFirstOrThrow();
  // The later decision has the later time, also after a clock was set back.
  const created_at = Math.max(now, (newest ?? 0) + 1);
  const row = { id: timeId(now), ...intent, created_at, rejected_rows: 0 };
  return db.insertInto('intents').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Changes columns of an intent. Call it under the login's lease. */
export async function updateIntent(db: Db, id: string, set: Partial<Omit<IntentRow, 'id'>>): Promise<void> {
  await db.updateTable('intents').set(set).where('id', '=', id).execute();
}

/** An intent by its id. */
export async function getIntent(db: Db, id: string): Promise<IntentRow> {
  return db.selectFrom('intents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** A dataset by its id. */
export async function getDataset(db: Db, id: string): Promise<DatasetRow> {
  return db.selectFrom('datasets').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Changes what a dataset is made of; its bytes stay. Call it under the login's lease. */
export async function updateDataset(
  db: Db,
  id: string,
  set: Partial<Omit<DatasetRow, 'id' | 'sha256'>>,
): Promise<void> {
  await db.updateTable('datasets').set(set).where('id', '=', id).execute();
}

/** The logins that have open work: an unfinished intent, or a candidate that waits. */
export async function loginsWithWork(db: Db): Promise<string[]> {
  const intents = await db.selectFrom('intents').select('login').where('result', 'is', null).execute();
  const feeds = await db.selectFrom('feeds').select('login').where('candidate', 'is not', null).execute();
  return [...new Set([...intents, ...feeds].map((row) => row.login))].sort();
}
