import type { Kysely } from 'kysely';

/** Lists of runs, uploads and decisions are read a page at a time; runs are filtered and counted without reading their rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // It begins with what the index of times had.
  const listed = ['created_at', 'id', 'feed', 'login', 'outcome', 'stage'];
  await db.schema.createIndex('runs_listed').on('runs').columns(listed).execute();
  await db.schema.dropIndex('runs_by_time').execute();
  await db.schema.createIndex('runs_by_end').on('runs').column('finished_at').execute();
  // The rows of intents are large: whether one was met is found without reading them.
  await db.schema.createIndex('intents_by_result').on('intents').columns(['id', 'result']).execute();
  await db.schema.createIndex('uploads_by_time').on('uploads').columns(['created_at', 'id']).execute();
  await db.schema.createIndex('audit_by_time').on('audit').columns(['at', 'id']).execute();
}
