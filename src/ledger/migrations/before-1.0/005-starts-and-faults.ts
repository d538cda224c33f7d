import type { Kysely } from 'kysely';

/** What counts the deaths of processes in the work of a run, and the faults of a lane. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('starts')
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('run', 'text', (c) => c.notNull().references('runs.id').onDelete('cascade'))
    .addColumn('stage', 'text', (c) => c.notNull())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('starts_pk', ['run', 'stage', 'id'])
    .execute();
  await db.schema
    .createTable('lane_faults')
    .addColumn('login', 'text', (c) => c.primaryKey())
    .addColumn('times', 'integer', (c) => c.notNull())
    .addColumn('first_at', 'bigint', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addColumn('next_at', 'bigint', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .execute();
}
