import type { Kysely } from 'kysely';

/** Days on which suppliers said that they deliver nothing, and the decisions by their kind. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('absences')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('feed', 'text', (column) => column.notNull())
    .addColumn('first_day', 'text', (column) => column.notNull())
    .addColumn('last_day', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('who', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute();
  await db.schema.createIndex('absences_by_feed').on('absences').columns(['feed', 'first_day']).execute();
  await db.schema.createIndex('audit_by_action').on('audit').columns(['action', 'at']).execute();
}
