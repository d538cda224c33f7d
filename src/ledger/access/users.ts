import type { Insertable } from 'kysely';
import type { Db } from '../ledger.ts';
import type { UserRow } from '../schema/schema.ts';

/** Adds a user; false when there is one of this name, or of this subject. */
export async function insertUser(db: Db, user: Insertable<UserRow>): Promise<boolean> {
  const done = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return done.numInsertedOrUpdatedRows === 1n;
}

/** A user by name, disabled ones too. */
export async function findUser(db: Db, name: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('name', '=', name).executeTakeFirst();
}

/** The user whom a provider calls so, disabled ones too. */
export async function findUserBySubject(db: Db, subject: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('subject', '=', subject).executeTakeFirst();
}

/** Changes a user; false when there is none of this name. */
export async function updateUser(db: Db, name: string, set: Partial<Omit<UserRow, 'name'>>): Promise<boolean> {
  const done = await db.updateTable('users').set(set).where('name', '=', name).executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Changes a user as they were read; false when somebody else has changed them since. */
export async function changeUser(
  db: Db,
  { name, role, changed_at }: Pick<UserRow, 'name' | 'role' | 'changed_at'>,
  set: Partial<Omit<UserRow, 'name'>>,
): Promise<boolean> {
  const query = db.updateTable('users').set(set).where('name', '=', name).where('role', '=', role);
  return (await query.where('changed_at', '=', changed_at).executeTakeFirst()).numUpdatedRows === 1n;
}

/**
 * Puts a hash in place of the one that a password was compared with; false when the user has another password since, or is
 * disabled.
 */
export async function keepPassword(db: Db, name: string, { from, to }: { from: string; to: string }): Promise<boolean> {
  const query = db.updateTable('users').set({ password: to }).where('name', '=', name).where('password', '=', from);
  return (await query.where('disabled_at', 'is', null).executeTakeFirst()).numUpdatedRows === 1n;
}

/** Uses the code of a half minute up; false when it or a later one was used before. */
export async function useStep(db: Db, name: string, step: number): Promise<boolean> {
  const query = db.updateTable('users').set({ totp_step: step }).where('name', '=', name);
  const isNew = query.where((eb) => eb.or([eb('totp_step', 'is', null), eb('totp_step', '<', step)]));
  return (await isNew.executeTakeFirst()).numUpdatedRows === 1n;
}

/** Keeps the recovery codes that are left; false when somebody else has used one since. */
export async function useRecovery(db: Db, name: string, { from, to }: { from: string; to: string }): Promise<boolean> {
  const query = db.updateTable('users').set({ recovery: to }).where('name', '=', name).where('recovery', '=', from);
  return (await query.executeTakeFirst()).numUpdatedRows === 1n;
}

/** The administrators that may sign in; until the transaction ends nobody else changes them. */
export async function lockAdmins(trx: Db): Promise<string[]> {
  await trx
    .updateTable('users')
    .set((eb) => ({ role: eb.ref('role') }))
    .where('role', '=', 'admin')
    .execute();
  const query = trx.selectFrom('users').select('name').where('role', '=', 'admin').where('disabled_at', 'is', null);
  return (await query.execute()).map(({ name }) => name);
}

/** All users by name, disabled ones too. */
export async function allUsers(db: Db): Promise<UserRow[]> {
  return db.selectFrom('users').selectAll().orderBy('name').execute();
}

/** How many users may sign in. */
export async function countUsers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('disabled_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
