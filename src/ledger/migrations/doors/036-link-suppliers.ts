import type { Kysely } from 'kysely';

/** For whom the link to a supplier's page was made: the next supplier of the feed is another one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('supplier_links').addColumn('supplier', 'text').execute();
}
