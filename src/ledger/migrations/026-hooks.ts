import type { Kysely } from 'kysely';

/** What hooks are to be told: events until they are handed out, a message for each hook, and the hooks that fail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hook_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('facts', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('hook_events_in_order').unique().on('hook_events').columns(['subject', 'seq']).execute();
  await db.schema
    .createTable('hook_messages')
    .addColumn('hook', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('error', 'text')
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('hook_messages_key', ['hook', 'id'])
    .execute();
  await db.schema.createIndex('hook_messages_by_subject').on('hook_messages').columns(['subject', 'seq']).execute();
  await db.schema.createIndex('hook_messages_by_state').on('hook_messages').columns(['state', 'hook', 'at']).execute();
  await db.schema
    .createTable('hook_failures')
    .addColumn('hook', 'text', (column) => column.primaryKey())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('times', 'integer', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('error', 'text', (column) => column.notNull())
    .addColumn('gone', 'integer', (column) => column.notNull())
    .addColumn('lost', 'integer', (column) => column.notNull())
    .execute();
}
