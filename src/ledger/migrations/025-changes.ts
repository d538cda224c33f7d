import type { Kysely } from 'kysely';

/** Which rows changes are put upon: of a run those that it was put upon, of a feed those for the next changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('base', 'text').execute();
  await db.schema.alterTable('feeds').addColumn('head', 'text').execute();
}
