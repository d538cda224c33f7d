import type { Db } from '../ledger.ts';
import type { CallRow } from '../schema/schema.ts';

/** Records calls, all of them at once; those that are there already stay as they are. */
export async function insertCalls(db: Db, calls: readonly CallRow[]): Promise<void> {
  if (calls.length === 0) return;
  await db
    .insertInto('calls')
    .values([...calls])
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** The newest calls that were made for an upload, oldest first, and how many there are in all. */
export async function callsOfUpload(
  db: Db,
  upload: string,
  limit: number,
): Promise<{ calls: CallRow[]; total: number }> {
  const { total } = await db
    .selectFrom('calls')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('upload', '=', upload)
    .executeTakeFirstOrThrow();
  const newest = await db
    .selectFrom('calls')
    .selectAll()
    .where('upload', '=', upload)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return { calls: newest.toReversed(), total };
}

/** The calls of a login for no upload that failed in a period, epoch milliseconds, the newest of them, oldest first. */
export async function failedCalls(
  db: Db,
  login: string,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<CallRow[]> {
  const newest = await db
    .selectFrom('calls')
    .selectAll()
    .where('login', '=', login)
    .where('upload', 'is', null)
    .where('at', '>=', from)
    .where('at', '<', to)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return newest.toReversed();
}
