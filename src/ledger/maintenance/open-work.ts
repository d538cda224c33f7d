import { sql } from 'kysely';
import type { Db } from '../ledger.ts';
import { OPEN_STATES } from '../schema/schema.ts';

/** How much work is open: runs that are not done, uploads that are not closed. */
export async function openWork(db: Db): Promise<{ runs: number; uploads: number }> {
  // Constants let the database use the indexes of open work, which parameters would not.
  const runs = await db
    .selectFrom('runs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('stage', '<>', sql.lit('done'))
    .executeTakeFirstOrThrow();
  const uploads = await db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(
      'state',
      'in',
      OPEN_STATES.map((state) => sql.lit(state)),
    )
    .executeTakeFirstOrThrow();
  return { runs: runs.count, uploads: uploads.count };
}
