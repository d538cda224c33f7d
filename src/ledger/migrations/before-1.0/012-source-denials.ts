import type { Kysely } from 'kysely';

/** Sources that refused a feed's credentials. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('source_denials')
    .addColumn('feed', 'text', (c) => c.primaryKey())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('since', 'bigint', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .execute();
}
