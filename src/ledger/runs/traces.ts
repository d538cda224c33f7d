import type { Db } from '../ledger.ts';
import type { RunRow } from '../schema/schema.ts';

/** Keeps the first span of a run's trace, unless another process was first; gives the one that is kept. */
export async function keepTrace(db: Db, run: string, traceparent: string): Promise<string> {
  await db.updateTable('runs').set({ traceparent }).where('id', '=', run).where('traceparent', 'is', null).execute();
  const kept = await db.selectFrom('runs').select('traceparent').where('id', '=', run).executeTakeFirst();
  return kept?.traceparent ?? traceparent;
}

/** Links of one span; a login with more runs at once has them, but nobody looks at all of them. */
const MOST_SERVED = 100;

/** The traces of the runs that wait for a login's lane. */
export async function tracesInLane(db: Db, login: string): Promise<string[]> {
  const found = await db
    .selectFrom('runs')
    .select('traceparent')
    .where('login', '=', login)
    .where('stage', 'in', ['compose', 'upload'])
    .where('traceparent', 'is not', null)
    .orderBy('id')
    .limit(MOST_SERVED)
    .execute();
  return found.flatMap(({ traceparent }) => traceparent ?? []);
}

/** Those of these runs that are done. */
export async function doneOf(db: Db, runs: string[]): Promise<Pick<RunRow, 'id' | 'outcome' | 'finished_at'>[]> {
  return db
    .selectFrom('runs')
    .select(['id', 'outcome', 'finished_at'])
    .where('id', 'in', runs)
    .where('stage', '=', 'done')
    .execute();
}
