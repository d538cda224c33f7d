import { sql, type Kysely } from 'kysely';

/** By which token something was asked for; and the runs that are held, which are few among those of a feed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('requests').addColumn('token', 'text').execute();
  await sql`create index runs_held on runs (feed, created_at) where outcome = 'held'`.execute(db);
}
