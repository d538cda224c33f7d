import type { Stage } from '../../model.ts';
import type { Db } from '../ledger.ts';

/** Work that begins: the runs it is done for, their stage, an id of its own, and the process that does it. */
export type Start = { id: string; runs: string[]; stage: Stage; owner: string; at: number };

/**
 * Records that work begins. It must be on disk before the work can end its process. Whoever has a run take something before it asks its place
 * holds the row of the run (`runToCome`), which a pull therefore waits for.
 */
export async function recordStart(db: Db, { runs, ...start }: Start): Promise<void> {
  if (start.stage === 'pull') await lockRuns(db, runs);
  await db
    .insertInto('starts')
    .values(runs.map((run) => ({ run, ...start })))
    .execute();
}

/** Holds the rows of runs until the transaction ends. */
export async function lockRuns(trx: Db, runs: string[]): Promise<void> {
  await trx
    .updateTable('runs')
    .set((eb) => ({ stage: eb.ref('stage') }))
    .where('id', 'in', runs)
    .execute();
}

/** Records that work has ended without the death of its process, however it ended; `passed`: nothing that died before counts. */
export async function recordEnd(db: Db, { id, runs, stage }: Start, { passed }: { passed: boolean }): Promise<void> {
  const ended = db.deleteFrom('starts').where('run', 'in', runs).where('stage', '=', stage);
  await (passed ? ended : ended.where('id', '=', id)).execute();
}

/**
 * How often a process died in this stage of each run: what was begun and has not ended. Ask it as the only one who may work on
 * these runs.
 */
export async function deathsIn(db: Db, runs: string[], stage: Stage): Promise<Map<string, number>> {
  if (runs.length === 0) return new Map();
  const rows = await db
    .selectFrom('starts')
    .select((eb) => ['run', eb.fn.countAll<number>().as('deaths')])
    .where('run', 'in', runs)
    .where('stage', '=', stage)
    .groupBy('run')
    .execute();
  return new Map(rows.map(({ run, deaths }) => [run, deaths]));
}
