import type { Kysely } from 'kysely';

/** What is asked of one login, or of one run, does not read all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('runs_by_login').on('runs').columns(['login', 'created_at']).execute();
  await db.schema.createIndex('uploads_by_login').on('uploads').columns(['login', 'state', 'closed_at']).execute();
  await db.schema.createIndex('intents_by_login').on('intents').columns(['login', 'created_at']).execute();
  await db.schema.createIndex('intents_by_dataset').on('intents').column('dataset').execute();
  await db.schema.createIndex('datasets_by_login').on('datasets').columns(['login', 'created_at']).execute();
  await db.schema.createIndex('mails_by_run').on('mails').column('run').execute();
}
