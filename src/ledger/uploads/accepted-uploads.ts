import { getDataset, getIntent } from './intents.ts';
import type { Db } from '../ledger.ts';
import type { DatasetRow, IntentRow, UploadRow } from '../schema/schema.ts';

/** An upload that was proved live, with what it made live. */
export type GoodUpload = { upload: UploadRow; intent: IntentRow; dataset: DatasetRow };

/** The login's uploads that were proved live, newest first. */
export async function goodUploads(db: Db, login: string): Promise<GoodUpload[]> {
  const uploads = await provedUploads(db, login).execute();
  return Promise.all(uploads.map((upload) => withDataset(db, upload)));
}

/** A login's newest upload whose dataset was proved live; a newer one may have been accepted and not proved. */
export async function lastProved(db: Db, login: string): Promise<GoodUpload | undefined> {
  const upload = await provedUploads(db, login).limit(1).executeTakeFirst();
  return upload === undefined ? undefined : withDataset(db, upload);
}

function provedUploads(db: Db, login: string) {
  return db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .selectAll('uploads')
    .where('uploads.login', '=', login)
    .where('uploads.state', '=', 'success')
    .where('intents.result', '=', 'met')
    .orderBy('uploads.closed_at', 'desc');
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
  return upload === undefined ? undefined : withDataset(db, upload);
}

async function withDataset(db: Db, upload: UploadRow): Promise<GoodUpload> {
  const intent = await getIntent(db, upload.intent);
  return { upload, intent, dataset: await getDataset(db, intent.dataset) };
}
