import type { Kysely } from 'kysely';

/** The first span of a run's trace, with which every process goes on that works on the run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('traceparent', 'text').execute();
}
