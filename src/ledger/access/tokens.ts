import type { Db } from '../ledger.ts';
import type { TokenRow } from '../schema/schema.ts';

/** Records a token. */
export async function insertToken(db: Db, token: TokenRow): Promise<void> {
  await db.insertInto('tokens').values(token).execute();
}

/** A token by the hash of its secret or of the one before, whether or not it still counts. */
export async function findToken(db: Db, hash: string): Promise<TokenRow | undefined> {
  const query = db.selectFrom('tokens').selectAll();
  return query.where((eb) => eb.or([eb('secret_hash', '=', hash), eb('former_hash', '=', hash)])).executeTakeFirst();
}

/** A token by its id, whether or not it still counts. */
export async function findTokenById(db: Db, id: string): Promise<TokenRow | undefined> {
  return db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Who gave a token another secret, and so has seen one. */
export async function rotatorsOf(db: Db, id: string): Promise<string[]> {
  const query = db.selectFrom('audit').select('who').distinct().where('subject', '=', `token ${id}`);
  return (await query.where('action', '=', 'rotate-token').execute()).map(({ who }) => who);
}

/**
 * Puts another secret in the place of the one with the hash `from`, which stays valid until `formerEnds` (null: ends now); false when the token has
 * another one by now, or was revoked. One that was replaced earlier ends.
 */
export async function replaceSecret(
  db: Db,
  id: string,
  { from, to, formerEnds, expires }: { from: string; to: string; formerEnds: number | null; expires: number | null },
): Promise<boolean> {
  const query = db.updateTable('tokens').set((eb) => ({
    secret_hash: to,
    used_at: null,
    expires_at: expires,
    former_hash: formerEnds === null ? null : eb.ref('secret_hash'),
    former_ends_at: formerEnds,
    former_used_at: formerEnds === null ? null : eb.ref('used_at'),
  }));
  const whole = query.where('id', '=', id).where('secret_hash', '=', from).where('revoked_at', 'is', null);
  return (await whole.executeTakeFirst()).numUpdatedRows === 1n;
}

/** All tokens, the newest first, revoked ones too. */
export async function allTokens(db: Db): Promise<TokenRow[]> {
  return db.selectFrom('tokens').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
}

/** Says that a secret of a token was used, unless it was said after `since`. */
export async function usedToken(
  db: Db,
  id: string,
  { column, at, since }: { column: 'used_at' | 'former_used_at'; at: number; since: number },
): Promise<void> {
  const query = db
    .updateTable('tokens')
    .set({ [column]: at })
    .where('id', '=', id);
  await query.where((eb) => eb.or([eb(column, 'is', null), eb(column, '<=', since)])).execute();
}

/** Revokes a token; false when there is none, or it was revoked before. */
export async function markRevoked(db: Db, id: string, at: number): Promise<boolean> {
  const query = db.updateTable('tokens').set({ revoked_at: at }).where('id', '=', id).where('revoked_at', 'is', null);
  return (await query.executeTakeFirst()).numUpdatedRows === 1n;
}
