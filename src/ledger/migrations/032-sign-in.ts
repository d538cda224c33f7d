import type { Kysely } from 'kysely';

/** Secrets of tokens that others replace; users that a provider signs in, with what it is asked about their sessions; second factors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('tokens').addColumn('former_hash', 'text').execute();
  await db.schema.alterTable('tokens').addColumn('former_ends_at', 'bigint').execute();
  await db.schema.alterTable('tokens').addColumn('former_used_at', 'bigint').execute();
  await db.schema.createIndex('tokens_by_former').on('tokens').column('former_hash').unique().execute();
  await db.schema.alterTable('users').addColumn('subject', 'text').execute();
  await db.schema.alterTable('users').addColumn('feeds', 'text').execute();
  await db.schema.createIndex('users_by_subject').on('users').column('subject').unique().execute();
  await db.schema.alterTable('sessions').addColumn('refresh', 'text').execute();
  await db.schema.alterTable('sessions').addColumn('check_at', 'bigint').execute();
  await db.schema.alterTable('sessions').addColumn('stage', 'text').execute();
  await db.schema.alterTable('users').addColumn('totp', 'text').execute();
  await db.schema.alterTable('users').addColumn('totp_step', 'bigint').execute();
  await db.schema.alterTable('users').addColumn('recovery', 'text').execute();
}
