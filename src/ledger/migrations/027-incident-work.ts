import type { Kysely } from 'kysely';

/** Who works on an incident, and until when people are not reminded of it; what is written about one is found by its subject. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['taken_by', 'taken_as', 'quiet_until', 'quiet_by'] as const)
    await db.schema.alterTable('incidents').addColumn(column, 'text').execute();
  for (const column of [
    'taken_at',
    'holder_told_at',
    'worked_at',
    'quiet_ends_at',
    'quiet_at',
    'quiet_ended_at',
    'quiet_extent',
  ] as const)
    await db.schema.alterTable('incidents').addColumn(column, 'bigint').execute();
  await db.schema.createIndex('audit_by_subject').on('audit').columns(['subject', 'at']).execute();
}
