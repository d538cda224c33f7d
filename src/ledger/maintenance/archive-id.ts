import type { Db } from '../ledger.ts';

const KEY = 'archive-id';

/** The id of the archive that a ledger keeps its files in; null when it was not bound to one yet. */
export async function archiveIdOf(db: Db): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', KEY).executeTakeFirst();
  return row?.value ?? null;
}

/** Binds a ledger to an archive, and answers with the one that it is bound to: of several homes that do so at once, one wins. */
export async function keepArchiveId(db: Db, id: string): Promise<string> {
  await db
    .insertInto('meta')
    .values({ key: KEY, value: id })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await archiveIdOf(db)) ?? id;
}
