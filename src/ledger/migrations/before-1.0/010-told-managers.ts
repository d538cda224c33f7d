import type { Kysely } from 'kysely';

/** When managers were told of an incident that is the business of ops. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('incidents').addColumn('managers_told_at', 'bigint').execute();
}
