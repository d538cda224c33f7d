import type { Kysely } from 'kysely';

/** Codes and facts of reasons beside their sentences; whether what somebody else uploaded had our rows. */
export async function up(db: Kysely<{ strangers: { text: string; same_rows: number | null } }>): Promise<void> {
  for (const table of ['runs', 'incidents']) {
    await db.schema.alterTable(table).addColumn('reason_code', 'text').execute();
    await db.schema.alterTable(table).addColumn('reason_facts', 'text').execute();
  }
  await db.schema
    .alterTable('strangers')
    .addColumn('same_rows', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.updateTable('strangers').set({ same_rows: 1 }).where('text', 'like', '%, with the same rows').execute();
}
