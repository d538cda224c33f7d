import type { Db } from '../ledger.ts';
import type { PauseRow } from '../schema/schema.ts';

/** What can be paused. */
export type Pausable = Pick<PauseRow, 'kind' | 'name'>;

/** Records a pause; false when there is one already. */
export async function addPause(db: Db, pause: PauseRow): Promise<boolean> {
  const added = await db
    .insertInto('pauses')
    .values(pause)
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n;
}

/** Ends a pause; false when there was none. */
export async function endPause(db: Db, { kind, name }: Pausable): Promise<boolean> {
  const ended = await db.deleteFrom('pauses').where('kind', '=', kind).where('name', '=', name).executeTakeFirst();
  return ended.numDeletedRows === 1n;
}

/** The pause that a feed stands under: its own or its login's. */
export async function pauseOver(db: Db, feed: string, login: string): Promise<PauseRow | undefined> {
  return db
    .selectFrom('pauses')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb.and([eb('kind', '=', 'feed'), eb('name', '=', feed)]),
        eb.and([eb('kind', '=', 'login'), eb('name', '=', login)]),
      ]),
    )
    .orderBy('at')
    .limit(1)
    .executeTakeFirst();
}

/** All pauses. */
export async function listPauses(db: Db): Promise<PauseRow[]> {
  return db.selectFrom('pauses').selectAll().orderBy('kind').orderBy('name').execute();
}
