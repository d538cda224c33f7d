import type { Kysely } from 'kysely';

/** Results that are to be put beside the suppliers' files, and those that were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('results')
    .addColumn('feed', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('run', 'text', (column) => column.notNull())
    .addColumn('taken_at', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('placed', 'text')
    .addColumn('content', 'text')
    .addPrimaryKeyConstraint('results_key', ['feed', 'origin', 'path'])
    .execute();
  await db.schema.createIndex('results_by_state').on('results').columns(['feed', 'origin', 'state']).execute();
}
