import { sql, type Kysely } from 'kysely';

/** Columns that people accepted for a feed and a header; at most one acceptance of each counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accepted_columns')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('feed', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('accepted', 'text', (c) => c.notNull())
    .addColumn('header_cells', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('run', 'text', (c) => c.notNull())
    .addColumn('who', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('revoked_by', 'text')
    .addColumn('revoked_reason', 'text')
    .execute();
  await sql`create unique index accepted_columns_in_force on accepted_columns (feed, fingerprint) where revoked_at is null`.execute(
    db,
  );
}
