import type { Kysely } from 'kysely';

/** The links to the pages of suppliers, by the hashes of their secrets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('supplier_links')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('feed', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .execute();
  await db.schema.createIndex('supplier_links_by_feed').on('supplier_links').columns(['feed', 'created_at']).execute();
}
