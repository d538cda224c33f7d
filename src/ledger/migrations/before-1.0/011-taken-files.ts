import type { Kysely } from 'kysely';

/** Files of suppliers that were taken or passed over for a newer one, and what became of them there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('taken_files')
    .addColumn('feed', 'text', (c) => c.notNull())
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('identity', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('listed', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text')
    .addColumn('run', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('acknowledged', 'text')
    .addColumn('acknowledged_at', 'bigint')
    .addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('taken_files_key', ['feed', 'origin', 'identity'])
    .execute();
  await db.schema.createIndex('taken_files_at').on('taken_files').columns(['feed', 'origin', 'state', 'at']).execute();
}
