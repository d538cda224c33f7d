import { sql, type Kysely } from 'kysely';

/**
 * By which token something was asked for; since when whoever signs a user in gives them no role; that a proxy calls nobody by two names which differ in
 * capitals; and the runs that are held, which are few among those of a feed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('requests').addColumn('token', 'text').execute();
  await db.schema.alterTable('users').addColumn('role_lost_at', 'bigint').execute();
  await sql`create unique index users_proxied on users (lower(subject)) where subject like 'proxy %'`.execute(db);
  await sql`create index runs_held on runs (feed, created_at) where outcome = 'held'`.execute(db);
}
