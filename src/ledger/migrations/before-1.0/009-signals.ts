import type { Kysely } from 'kysely';

/** What was seen of a run's rows beside what is uploaded, and the file with the sample of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('signals', 'text').execute();
  await db.schema.alterTable('runs').addColumn('sample_sha', 'text').execute();
}
