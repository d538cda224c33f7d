import type { Kysely } from 'kysely';

/** What is measured without the wall clock: time watched, planned waits, ends of leases. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('uploads').dropColumn('first_look_at').execute();
  await db.schema
    .alterTable('uploads')
    .addColumn('watched_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('uploads').addColumn('marks', 'text').execute();
  for (const table of ['uploads', 'watches']) {
    await db.schema
      .alterTable(table)
      .addColumn('wait_ms', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  }
  for (const column of ['duration', 'renewals', 'ends']) {
    await db.schema
      .alterTable('leases')
      .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await db.schema.alterTable('leases').addColumn('clock', 'text').execute();
}
