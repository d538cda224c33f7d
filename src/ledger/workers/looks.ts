import { databaseNow, type Db, type Ledger } from '../ledger.ts';
import type { LookRow } from '../schema/schema.ts';

/** Records that a worker met a run whose place it cannot reach; answers with how often it has. */
export async function noteLook(
  { db, engine }: Ledger,
  { run, worker, name, found }: Pick<LookRow, 'run' | 'worker' | 'name' | 'found'>,
): Promise<number> {
  const { times } = await db
    .insertInto('looks')
    .values({ run, worker, name, found, at: databaseNow(engine), times: 1 })
    .onConflict((conflict) =>
      conflict.columns(['run', 'worker']).doUpdateSet((eb) => ({ found, times: eb('looks.times', '+', 1) })),
    )
    .returning('times')
    .executeTakeFirstOrThrow();
  return times;
}

/** The workers that could not reach what a run is to be pulled from, in the order in which they met it. */
export async function looksOf(db: Db, run: string): Promise<LookRow[]> {
  return db.selectFrom('looks').selectAll().where('run', '=', run).orderBy('at').orderBy('worker').execute();
}
