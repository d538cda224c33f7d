import type { Kysely } from 'kysely';

/** Two times that were written and never read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('lane_faults').dropColumn('last_at').execute();
  await db.schema.alterTable('taken_files').dropColumn('acknowledged_at').execute();
}
