import type { Db } from '../ledger.ts';
import type { HookFailureRow } from '../schema/schema.ts';

/** How a hook fails, if it does. */
export async function failureOf(db: Db, hook: string): Promise<HookFailureRow | undefined> {
  return db.selectFrom('hook_failures').selectAll().where('hook', '=', hook).executeTakeFirst();
}

/** Every hook that fails, by name. */
export async function failingHooks(db: Db): Promise<HookFailureRow[]> {
  return db.selectFrom('hook_failures').selectAll().orderBy('hook').execute();
}

/** Records how a hook fails now. */
export async function recordFailure(db: Db, failure: HookFailureRow): Promise<void> {
  const { hook: _key, ...set } = failure;
  await db
    .insertInto('hook_failures')
    .values(failure)
    .onConflict((conflict) => conflict.column('hook').doUpdateSet(set))
    .execute();
}

/** A hook takes messages again, or is not configured any more. */
export async function endFailure(db: Db, hook: string): Promise<void> {
  await db.deleteFrom('hook_failures').where('hook', '=', hook).execute();
}
