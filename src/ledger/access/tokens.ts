import type { Db } from '../ledger.ts';
import type { TokenRow } from '../schema/schema.ts';

/** Records a token. */
export async function insertToken(db: Db, token: TokenRow): Promise<void> {
  await db.insertInto('tokens').values(token).execute();
}

/** A token by the hash of its secret, whether or not it still counts. */
export async function findToken(db: Db, hash: string): Promise<TokenRow | undefined> {
  return db.selectFrom('tokens').selectAll().where('secret_hash', '=', hash).executeTakeFirst();
}

/** All tokens, the newest first, revoked ones too. */
export async function allTokens(db: Db): Promise<TokenRow[]> {
  return db.selectFrom('tokens').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
}

/** Says that a token was used, unless it was said after `since`. */
export async function usedToken(db: Db, id: string, { at, since }: { at: number; since: number }): Promise<void> {
  const query = db.updateTable('tokens').set({ used_at: at }).where('id', '=', id);
  await query.where((eb) => eb.or([eb('used_at', 'is', null), eb('used_at', '<=', since)])).execute();
}

/** Revokes a token; false when there is none, or it was revoked before. */
export async function markRevoked(db: Db, id: string, at: number): Promise<boolean> {
  const query = db.updateTable('tokens').set({ revoked_at: at }).where('id', '=', id).where('revoked_at', 'is', null);
  return (await query.executeTakeFirst()).numUpdatedRows === 1n;
}
