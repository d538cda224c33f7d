import type { Kysely } from 'kysely';

/** What an archive on a store of objects knows of its files, which the store itself cannot say. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('archived_objects')
    .addColumn('sha256', 'text', (c) => c.primaryKey())
    .addColumn('generation', 'integer', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('given_up_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('archived_objects_given_up')
    .on('archived_objects')
    .column('given_up_at')
    .where('given_up_at', 'is not', null)
    .execute();
}
