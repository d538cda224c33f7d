import type { Due } from '../../clock.ts';
import type { Db } from '../ledger.ts';
import type { UploadRow } from '../schema/schema.ts';
import type { ForeignUploadRow, WatchRow } from '../schema/watch-schema.ts';

/** What the watch knows of a login; of one that was never checked, that it is due. */
export async function watchOf(db: Db, login: string): Promise<WatchRow> {
  const row = await db.selectFrom('watches').selectAll().where('login', '=', login).executeTakeFirst();
  return row ?? { ...UNSEEN, login };
}

/** What the watch knows of each of some logins; of one that was never checked, that it is due. */
export async function watchesOf(db: Db, logins: readonly string[]): Promise<Map<string, WatchRow>> {
  const rows = await db.selectFrom('watches').selectAll().execute();
  const known = new Map(rows.map((row) => [row.login, row]));
  return new Map(logins.map((login) => [login, known.get(login) ?? { ...UNSEEN, login }]));
}

const UNSEEN = {
  next_at: 0,
  wait_ms: 0,
  looked_at: null,
  waits: 0,
  silent_since: null,
  note: null,
  unverified: null,
  unverified_at: null,
} satisfies Omit<WatchRow, 'login'>;

/** Changes what the watch knows of a login. */
export async function updateWatch(db: Db, login: string, set: Partial<Omit<WatchRow, 'login'>>): Promise<void> {
  await db
    .insertInto('watches')
    .values({ ...UNSEEN, ...set, login })
    .onConflict((conflict) => conflict.column('login').doUpdateSet(set))
    .execute();
}

/** When each login is to be checked next; one that is missing was never checked. */
export async function watchTimes(db: Db): Promise<Map<string, Due>> {
  const rows = await db.selectFrom('watches').select(['login', 'next_at', 'wait_ms']).execute();
  return new Map(rows.map(({ login, ...due }) => [login, due]));
}

/** A foreign upload of a login by the service's id, if it was recorded before. */
export async function foreignUploadOf(db: Db, login: string, offerId: string): Promise<ForeignUploadRow | undefined> {
  return db
    .selectFrom('strangers')
    .selectAll()
    .where('login', '=', login)
    .where('offer_id', '=', offerId)
    .executeTakeFirst();
}

/** Records a foreign upload, or what is new of one. */
export async function recordForeignUpload(db: Db, upload: ForeignUploadRow): Promise<void> {
  const { text, same_rows, restored_by } = upload;
  await db
    .insertInto('strangers')
    .values(upload)
    .onConflict((conflict) => conflict.columns(['login', 'offer_id']).doUpdateSet({ text, same_rows, restored_by }))
    .execute();
}

/** How often the last good dataset of a login was sent again since a time. */
export async function restoresSince(db: Db, login: string, since: number): Promise<number> {
  const { count } = await db
    .selectFrom('intents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('login', '=', login)
    .where('cause', '=', 'restore')
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** An attempt with the hash of what it carried. */
export type KnownAttempt = Pick<UploadRow, 'id' | 'intent' | 'token' | 'state' | 'offer_id'> & { sha256: string };

/** The login's attempts since a time, newest first. */
export async function attemptsSince(db: Db, login: string, since: number): Promise<KnownAttempt[]> {
  return db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .innerJoin('datasets', 'datasets.id', 'intents.dataset')
    .select(['uploads.id', 'uploads.intent', 'uploads.token', 'uploads.state', 'uploads.offer_id', 'datasets.sha256'])
    .where('uploads.login', '=', login)
    .where('uploads.created_at', '>=', since)
    .orderBy('uploads.created_at', 'desc')
    .execute();
}
