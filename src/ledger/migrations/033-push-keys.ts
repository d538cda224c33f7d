import type { Kysely } from 'kysely';

/** What senders call their pushes: each its own, and one delivery may have been pushed under several keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('push_keys')
    .addColumn('feed', 'text', (column) => column.notNull())
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('pushed', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('push_keys_key', ['feed', 'sender', 'key'])
    .execute();
  await db.schema.createIndex('push_keys_by_pushed').on('push_keys').columns(['pushed']).execute();
  await db.schema.dropIndex('pushed_by_key').execute();
  await db.schema.alterTable('pushed').dropColumn('idempotency_key').execute();
}
