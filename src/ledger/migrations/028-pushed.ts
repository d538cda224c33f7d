import type { Kysely } from 'kysely';

/** The files that were pushed to feeds, whose bytes are in the archive. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pushed')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('feed', 'text', (column) => column.notNull())
    .addColumn('login', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('who', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text')
    .addColumn('run', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('pushed_by_time').on('pushed').columns(['feed', 'at']).unique().execute();
  await db.schema.createIndex('pushed_by_name').on('pushed').columns(['feed', 'name', 'at']).execute();
  await db.schema.createIndex('pushed_by_key').on('pushed').columns(['feed', 'idempotency_key']).unique().execute();
}
