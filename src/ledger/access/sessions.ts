import type { Insertable } from 'kysely';
import type { Db } from '../ledger.ts';
import type { SessionRow, SessionStage, UserRow } from '../schema/schema.ts';

/** Records a session. */
export async function insertSession(db: Db, session: Insertable<SessionRow>): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/** A session with its user, whether or not it still counts. */
export async function findSession(
  db: Db,
  hash: string,
): Promise<(Omit<SessionRow, 'token_hash' | 'user_name' | 'address'> & UserRow) | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.name', 'sessions.user_name')
    .selectAll('users')
    .select(['sessions.created_at', 'sessions.seen_at', 'sessions.refresh', 'sessions.check_at', 'sessions.stage'])
    .where('token_hash', '=', hash)
    .executeTakeFirst();
}

/** Says that a session was used, unless it was said after `since`. */
export async function sawSession(db: Db, hash: string, { at, since }: { at: number; since: number }): Promise<void> {
  const query = db.updateTable('sessions').set({ seen_at: at }).where('token_hash', '=', hash);
  await query.where('seen_at', '<=', since).execute();
}

/** Lets a session count that waited for this, under the hash of another token; false when it did not wait. */
export async function passStage(
  db: Db,
  stage: SessionStage,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const query = db.updateTable('sessions').set({ stage: null, token_hash: to }).where('token_hash', '=', from);
  return (await query.where('stage', '=', stage).executeTakeFirst()).numUpdatedRows === 1n;
}

/** Says when the provider is to be asked about a session next, unless somebody else has said so since `from`; false then. */
export async function claimCheck(db: Db, hash: string, { from, to }: { from: number; to: number }): Promise<boolean> {
  const query = db.updateTable('sessions').set({ check_at: to }).where('token_hash', '=', hash);
  return (await query.where('check_at', '=', from).executeTakeFirst()).numUpdatedRows === 1n;
}

/** Keeps what the provider is asked with next, and when. */
export async function keepRefresh(db: Db, hash: string, set: { refresh: string; check_at: number }): Promise<void> {
  await db.updateTable('sessions').set(set).where('token_hash', '=', hash).execute();
}

/** Ends one session. */
export async function deleteSession(db: Db, hash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', hash).execute();
}

/** Ends all sessions of a user but the one with this hash. */
export async function deleteSessionsOf(db: Db, user: string, but: string | null = null): Promise<void> {
  const query = db.deleteFrom('sessions').where('user_name', '=', user);
  await (but === null ? query : query.where('token_hash', '!=', but)).execute();
}

/** Removes sessions that began or were used last at these times or earlier: they have ended. */
export async function deleteOldSessions(db: Db, before: { created: number; seen: number }): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('created_at', '<=', before.created), eb('seen_at', '<=', before.seen)]))
    .execute();
}
