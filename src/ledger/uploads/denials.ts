import type { Db } from '../ledger.ts';
import type { DenialRow } from '../schema/watch-schema.ts';

/** The denial that a login stands under, if there is one. */
export async function denialOf(db: Db, login: string): Promise<DenialRow | undefined> {
  return db.selectFrom('denials').selectAll().where('login', '=', login).executeTakeFirst();
}

/** The denials that all logins stand under. */
export async function listDenials(db: Db): Promise<DenialRow[]> {
  return db.selectFrom('denials').selectAll().orderBy('login').execute();
}

/** Records that credentials were refused; one that lasts keeps its beginning. */
export async function recordDenial(db: Db, denial: Omit<DenialRow, 'retry'>): Promise<void> {
  const { operation, text, fingerprint } = denial;
  await db
    .insertInto('denials')
    .values({ ...denial, retry: 0 })
    .onConflict((conflict) => conflict.column('login').doUpdateSet({ operation, text, fingerprint, retry: 0 }))
    .execute();
}

/** Lets refused credentials be tried again; false when nothing was refused. */
export async function retryDenied(db: Db, login: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('denials')
    .set({ retry: 1 })
    .where('login', '=', login)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The credentials are proved; false when nothing was refused. */
export async function endDenial(db: Db, login: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('denials').where('login', '=', login).executeTakeFirst();
  return numDeletedRows === 1n;
}
