import type { Db } from '../ledger.ts';
import { OPEN_STATES } from '../schema/schema.ts';

/** How much work is open: runs that are not done, uploads that are not closed. */
export async function openWork(db: Db): Promise<{ runs: number; uploads: number }> {
  const runs = await db
    .selectFrom('runs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('stage', '<>', 'done')
    .executeTakeFirstOrThrow();
  const uploads = await db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', 'in', OPEN_STATES)
    .executeTakeFirstOrThrow();
  return { runs: runs.count, uploads: uploads.count };
}
