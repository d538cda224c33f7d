import type { Kysely } from 'kysely';

/** What the search answered about samples of what feeds have live. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('findability')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('login', 'text', (column) => column.notNull())
    .addColumn('feed', 'text', (column) => column.notNull())
    .addColumn('intent', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('calls', 'integer', (column) => column.notNull())
    .addColumn('parts', 'bigint', (column) => column.notNull())
    .addColumn('new_parts', 'bigint', (column) => column.notNull())
    .addColumn('names_shown', 'integer', (column) => column.notNull())
    .addColumn('answers', 'text', (column) => column.notNull())
    .addColumn('note', 'text')
    .execute();
  await db.schema.createIndex('findability_by_feed').on('findability').columns(['login', 'feed', 'at']).execute();
}
