import type { Kysely } from 'kysely';

/** The calls of the service that uploads made and those that failed, and what the service showed of each upload. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('calls')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('login', 'text', (column) => column.notNull())
    .addColumn('upload', 'text')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('ms', 'bigint', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('given_up', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('request_id', 'text')
    .addColumn('error', 'text')
    .execute();
  await db.schema.createIndex('calls_by_upload').on('calls').columns(['upload', 'at']).execute();
  await db.schema.createIndex('calls_by_time').on('calls').column('at').execute();
  await db.schema
    .createTable('upload_steps')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('upload', 'text', (column) => column.notNull())
    .addColumn('login', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('service_state', 'text')
    .addColumn('lines', 'bigint')
    .addColumn('last_modified', 'bigint')
    .addColumn('note', 'text')
    .execute();
  await db.schema.createIndex('upload_steps_by_upload').on('upload_steps').columns(['upload', 'at']).execute();
  await db.schema.createIndex('upload_steps_by_time').on('upload_steps').column('at').execute();
}
