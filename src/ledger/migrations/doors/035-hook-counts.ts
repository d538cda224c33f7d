import type { Kysely } from 'kysely';

/** How far the numbers of events went of whose messages none is kept any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hook_counts')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .execute();
}
