import type { Kysely } from 'kysely';

/** The part of migration 001 that makes the tables of the watch: what it saw, foreign uploads, refused credentials. */
export async function createWatches(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('watches')
    .addColumn('login', 'text', (c) => c.primaryKey())
    .addColumn('next_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('looked_at', 'bigint')
    .addColumn('waits', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('silent_since', 'bigint')
    .addColumn('note', 'text')
    .addColumn('unverified', 'text')
    .addColumn('unverified_at', 'bigint')
    .execute();
  await db.schema
    .createTable('strangers')
    .addColumn('login', 'text', (c) => c.notNull())
    .addColumn('offer_id', 'text', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('restored_by', 'text')
    .addPrimaryKeyConstraint('strangers_pk', ['login', 'offer_id'])
    .execute();
  await db.schema
    .createTable('denials')
    .addColumn('login', 'text', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('operation', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('retry', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}
