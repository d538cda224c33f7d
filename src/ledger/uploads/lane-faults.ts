import type { Db } from '../ledger.ts';
import type { LaneFaultRow } from '../schema/schema.ts';

/** The fault that a login's lane met last and has not got over, if there is one. */
export async function laneFault(db: Db, login: string): Promise<LaneFaultRow | undefined> {
  return db.selectFrom('lane_faults').selectAll().where('login', '=', login).executeTakeFirst();
}

/** All faults of lanes. */
export async function laneFaults(db: Db): Promise<LaneFaultRow[]> {
  return db.selectFrom('lane_faults').selectAll().orderBy('login').execute();
}

/** Records that a lane met a fault once more. Call it as the owner of the login's lease. */
export async function keepLaneFault(db: Db, fault: LaneFaultRow): Promise<void> {
  await db
    .insertInto('lane_faults')
    .values(fault)
    .onConflict((conflict) => conflict.column('login').doUpdateSet(fault))
    .execute();
}

/** Has the lane try again at once: something has come that may help. */
export async function hurryLane(db: Db, login: string): Promise<void> {
  await db.updateTable('lane_faults').set({ next_at: 0 }).where('login', '=', login).execute();
}

/** Records that a lane works again; false when nothing was wrong. */
export async function endLaneFault(db: Db, login: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('lane_faults').where('login', '=', login).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
