import type { Kysely } from 'kysely';

/** When a run's file was taken, in the order of its feed: a run that goes on late must not replace what was delivered after it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('taken_at', 'bigint').execute();
}
