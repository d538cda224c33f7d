import { OfferlineError } from '../errors.ts';
import { randomCode, timeId } from './ids.ts';
import type { Db } from './ledger.ts';
import { OPEN_STATES, type DatasetRow, type IntentRow, type UploadRow } from './schema.ts';

/** The login's open intent, if there is one. */
export async function openIntent(db: Db, login: string): Promise<IntentRow | undefined> {
  return db.selectFrom('intents').selectAll().where('login', '=', login).where('result', 'is', null).executeTakeFirst();
}

/** The intent's newest attempt, if there is one. */
export async function newestAttempt(db: Db, intent: string): Promise<UploadRow | undefined> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('intent', '=', intent)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Records a dataset and the decision to make it live. Call it under the login's lease. */
export async function createIntent(
  db: Db,
  dataset: Omit<DatasetRow, 'id' | 'created_at' | 'merged_tags' | 'pruned_at'> & { merged_tags?: string | null },
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

/** Records the decision to make an earlier upload's dataset live again. Call it under the login's lease. */
export async function createRollback(
  db: Db,
  to: GoodUpload,
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
  const row = { id: timeId(now), ...intent, created_at: now, rejected_rows: 0 };
  return db.insertInto('intents').values(row).returningAll().executeTakeFirstOrThrow();
}

/** An upload that was proved live, with what it made live. */
export type GoodUpload = { upload: UploadRow; intent: IntentRow; dataset: DatasetRow };

/** The login's uploads that were proved live, newest first. */
export async function goodUploads(db: Db, login: string): Promise<GoodUpload[]> {
  const uploads = await db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .selectAll('uploads')
    .where('uploads.login', '=', login)
    .where('uploads.state', '=', 'success')
    .where('intents.result', '=', 'met')
    .orderBy('uploads.closed_at', 'desc')
    .execute();
  return Promise.all(
    uploads.map(async (upload) => {
      const intent = await getIntent(db, upload.intent);
      return { upload, intent, dataset: await getDataset(db, intent.dataset) };
    }),
  );
}

/** Records the next attempt at an intent, with a token of its own. The database refuses a second unfinished one. */
export async function createAttempt(
  db: Db,
  intent: IntentRow,
  attempt: number,
  now: number,
  set: Partial<Pick<UploadRow, 'next_at' | 'note'>> = {},
): Promise<UploadRow> {
  return db
    .insertInto('uploads')
    .values({
      id: timeId(now),
      intent: intent.id,
      login: intent.login,
      attempt,
      token: randomCode(12),
      state: 'intended',
      adopted: 0,
      looks: 0,
      waits: 0,
      next_at: 0,
      created_at: now,
      ...set,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** How many attempts of an intent were given up because looks saw nothing of them. */
export async function lostBySilence(db: Db, intent: string): Promise<number> {
  const { count } = await db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('intent', '=', intent)
    .where('state', '=', 'lost')
    .where('looks', '>', 0)
    .executeTakeFirstOrThrow();
  return count;
}

/** Changes columns of an upload. Call it under the login's lease. */
export async function updateUpload(db: Db, id: string, set: Partial<Omit<UploadRow, 'id'>>): Promise<void> {
  await db.updateTable('uploads').set(set).where('id', '=', id).execute();
}

/**
 * Ends the pause of the login's open upload, if it is one between two questions to the service: whoever comes with news
 * wants an answer of now, not one from before a service came back. Safe without the lease: only the pause is cut.
 */
export async function hurryUpload(db: Db, login: string): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ next_at: 0 })
    .where('login', '=', login)
    .where('state', 'in', ['intended', 'submitted'])
    // A pause after lost attempts is none between two questions: nobody's news makes the service show what it swallowed.
    .where((eb) => eb.or([eb('state', '=', 'submitted'), eb('attempt', '<=', 2), eb('waits', '>', 0)]))
    .execute();
}

/** Changes columns of an intent. Call it under the login's lease. */
export async function updateIntent(db: Db, id: string, set: Partial<Omit<IntentRow, 'id'>>): Promise<void> {
  await db.updateTable('intents').set(set).where('id', '=', id).execute();
}

/** The tokens of an intent's attempts, newest first: a record that carries one of them met the intent. */
export async function tokensOfIntent(db: Db, intent: string): Promise<[string, ...string[]]> {
  const rows = await db
    .selectFrom('uploads')
    .select('token')
    .where('intent', '=', intent)
    .orderBy('attempt', 'desc')
    .execute();
  const [newest, ...older] = rows.map((row) => row.token);
  if (newest === undefined) throw new OfferlineError('internal', `Intent ${intent} has no attempt.`);
  return [newest, ...older];
}

/** The tokens of the login's other intents: a record that carries one is ours, but not this intent's. */
export async function otherTokens(db: Db, intent: IntentRow): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('token')
    .where('login', '=', intent.login)
    .where('intent', '<>', intent.id)
    .execute();
  return rows.map((row) => row.token);
}

/** An upload by its id, its token or the service's offer id; an unknown name is a user's mistake. */
export async function findUpload(db: Db, name: string): Promise<UploadRow> {
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', name), eb('token', '=', name), eb('offer_id', '=', name)]))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) {
    throw new OfferlineError(
      'not-found',
      `There is no upload ${name}; \`offerline logins\` shows those that are open.`,
    );
  }
  return row;
}

/** The unfinished upload of a login, if there is one. */
export async function openUpload(db: Db, login: string): Promise<UploadRow | undefined> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('login', '=', login)
    .where('state', 'in', OPEN_STATES)
    .executeTakeFirst();
}

/**
 * The login's newest upload that the service called a success: what is live as far as this ledger knows. Whether its receipt
 * proved it is the intent's `result`.
 */
export async function liveUpload(db: Db, login: string): Promise<GoodUpload | undefined> {
  return newestSuccess(db, login, '');
}

/** The newest upload of a login that the service called a success, another one than this: what was live before it. */
export async function successBefore(
  db: Db,
  { login, id }: Pick<UploadRow, 'login' | 'id'>,
): Promise<GoodUpload | undefined> {
  return newestSuccess(db, login, id);
}

async function newestSuccess(db: Db, login: string, except: string): Promise<GoodUpload | undefined> {
  const upload = await db
    .selectFrom('uploads')
    .selectAll()
    .where('login', '=', login)
    .where('state', '=', 'success')
    .where('id', '<>', except)
    .orderBy('closed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (upload === undefined) return undefined;
  const intent = await getIntent(db, upload.intent);
  return { upload, intent, dataset: await getDataset(db, intent.dataset) };
}

/** An intent by its id. */
export async function getIntent(db: Db, id: string): Promise<IntentRow> {
  return db.selectFrom('intents').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** A dataset by its id. */
export async function getDataset(db: Db, id: string): Promise<DatasetRow> {
  return db.selectFrom('datasets').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The logins that have open work: an unfinished intent, or a candidate that waits. */
export async function loginsWithWork(db: Db): Promise<string[]> {
  const intents = await db.selectFrom('intents').select('login').where('result', 'is', null).execute();
  const feeds = await db.selectFrom('feeds').select('login').where('candidate', 'is not', null).execute();
  return [...new Set([...intents, ...feeds].map((row) => row.login))].sort();
}
