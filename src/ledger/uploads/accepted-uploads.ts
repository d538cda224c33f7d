import { getDataset, getIntent } from './intents.ts';
import type { Db } from '../ledger.ts';
import { accountsIn, type DatasetRow, type FeedAccount, type IntentRow, type UploadRow } from '../schema/schema.ts';

/** An upload that the service accepted, with the dataset that it made live. */
export type AcceptedUpload = { upload: UploadRow; intent: IntentRow; dataset: DatasetRow };

/** The login's accepted uploads whose receipt proved them live, newest first; only so many of them when `slice` says so. */
export async function verifiedUploads(
  db: Db,
  login: string,
  slice?: { offset: number; limit: number },
): Promise<AcceptedUpload[]> {
  const query = selectVerified(db, login);
  const uploads = await (slice === undefined ? query : query.limit(slice.limit).offset(slice.offset)).execute();
  return Promise.all(uploads.map((upload) => withDataset(db, upload)));
}

/** How many of the login's uploads were proved live. */
export async function countVerified(db: Db, login: string): Promise<number> {
  const query = selectVerified(db, login).clearSelect().clearOrderBy();
  return (await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count;
}

/** The login's newest upload that was proved live; a newer one may have been accepted and not yet proved. */
export async function lastVerified(db: Db, login: string): Promise<AcceptedUpload | undefined> {
  const upload = await selectVerified(db, login).limit(1).executeTakeFirst();
  return upload === undefined ? undefined : withDataset(db, upload);
}

/** When each login's newest upload that was proved live ended; one without is left out. */
export async function verifiedTimes(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .select(({ fn }) => ['uploads.login', fn.max<number>('uploads.closed_at').as('at')])
    .where('uploads.state', '=', 'success')
    .where('intents.result', '=', 'met')
    .groupBy('uploads.login')
    .execute();
  return new Map(rows.map(({ login, at }) => [login, at]));
}

/**
 * What of each feed was live at a moment, by the login's newest upload that was proved live until then; null when there was none, or
 * when it had no accounts.
 */
export async function accountsAt(db: Db, login: string, at: number): Promise<Map<string, FeedAccount> | null> {
  const until = db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .select(['intents.id', 'intents.accounts'])
    .where('uploads.login', '=', login)
    .where('uploads.state', '=', 'success')
    .where('uploads.closed_at', '<=', at)
    .where('intents.result', '=', 'met')
    .orderBy('uploads.closed_at', 'desc');
  const row = await until.limit(1).executeTakeFirst();
  return row === undefined ? null : accountsIn(row);
}

/** The upload that made an intent's dataset live, and the one of its login that was proved live before; undefined where there is none. */
export async function verifiedAround(
  db: Db,
  { intent, login }: { intent: string; login: string },
): Promise<{ own: AcceptedUpload | undefined; before: AcceptedUpload | undefined }> {
  const own = await selectVerified(db, login).where('uploads.intent', '=', intent).limit(1).executeTakeFirst();
  if (own === undefined) return { own: undefined, before: undefined };
  const earlier = selectVerified(db, login).where('uploads.closed_at', '<', own.closed_at);
  const before = await earlier.limit(1).executeTakeFirst();
  return {
    own: await withDataset(db, own),
    before: before === undefined ? undefined : await withDataset(db, before),
  };
}

function selectVerified(db: Db, login: string) {
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
 * The login's newest upload that the service reported as a success: what is live as far as this ledger knows. The intent's
 * `result` says whether its receipt proved it.
 */
export async function latestAccepted(db: Db, login: string): Promise<AcceptedUpload | undefined> {
  return newestSuccess(db, login, '');
}

/** What was live before this upload: the login's newest other upload that the service reported as a success. */
export async function successBefore(
  db: Db,
  { login, id }: Pick<UploadRow, 'login' | 'id'>,
): Promise<AcceptedUpload | undefined> {
  return newestSuccess(db, login, id);
}

async function newestSuccess(db: Db, login: string, except: string): Promise<AcceptedUpload | undefined> {
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

async function withDataset(db: Db, upload: UploadRow): Promise<AcceptedUpload> {
  const intent = await getIntent(db, upload.intent);
  return { upload, intent, dataset: await getDataset(db, intent.dataset) };
}
