import type { Kysely } from 'kysely';

/** What was written to an outbox is in the archive, so that every machine can show it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('mails').addColumn('message_sha', 'text').execute();
}
