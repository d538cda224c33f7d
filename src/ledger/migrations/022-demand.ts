import type { Kysely } from 'kysely';

/** What the search answered about parts that are not live. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('findability')
    .addColumn('wanted', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
}
