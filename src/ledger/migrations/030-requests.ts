import { sql, type Kysely } from 'kysely';

/** What people asked for and a second person has to agree to; of a feed, or of a login as a whole, one waits at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('login', 'text', (column) => column.notNull())
    .addColumn('feed', 'text')
    .addColumn('run', 'text')
    .addColumn('upload', 'text')
    .addColumn('live', 'text')
    .addColumn('rows_sha', 'text')
    .addColumn('who', 'text', (column) => column.notNull())
    .addColumn('known_as', 'text', (column) => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('via', 'text', (column) => column.notNull())
    .addColumn('origin', 'text')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('ended_how', 'text')
    .addColumn('ended_by', 'text')
    .addColumn('ended_reason', 'text')
    .execute();
  await sql`create unique index requests_waiting on requests (scope) where ended_at is null`.execute(db);
  await db.schema.createIndex('requests_by_run').on('requests').columns(['run', 'at']).execute();
}
