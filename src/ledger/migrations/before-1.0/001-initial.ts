import { sql, type Kysely } from 'kysely';
import { createWatches } from './initial-watches.ts';

/** The tables of the first version. Types are chosen so that SQLite and Postgres hold the same values. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('meta')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
  await createRuns(db);
  await createFeeds(db);
  await createUploads(db);
  await createIncidents(db);
  await createWatches(db);
  await createMails(db);
  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('epoch', 'bigint', (c) => c.notNull())
    .addColumn('until', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('events')
    .addColumn('run', 'text', (c) => c.notNull().references('runs.id').onDelete('cascade'))
    .addColumn('seq', 'integer', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('stage', 'text', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('events_pk', ['run', 'seq'])
    .execute();
  await db.schema
    .createTable('audit')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('who', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('pauses')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('who', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('pauses_pk', ['kind', 'name'])
    .execute();
  await db.schema
    .createTable('freezes')
    .addColumn('feed', 'text', (c) => c.primaryKey())
    .addColumn('login', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('who', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('departures')
    .addColumn('login', 'text', (c) => c.notNull())
    .addColumn('feed', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('released_at', 'bigint')
    .addPrimaryKeyConstraint('departures_pk', ['login', 'feed'])
    .execute();
}

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('runs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('feed', 'text', (c) => c.notNull())
    .addColumn('login', 'text', (c) => c.notNull())
    .addColumn('cause', 'text', (c) => c.notNull())
    .addColumn('options', 'text', (c) => c.notNull())
    .addColumn('stage', 'text', (c) => c.notNull())
    .addColumn('outcome', 'text')
    .addColumn('amended', 'text')
    .addColumn('reason', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('finished_at', 'bigint')
    .addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('delivery_sha', 'text')
    .addColumn('delivery_name', 'text')
    .addColumn('delivery_bytes', 'bigint')
    .addColumn('checkpoint', 'text')
    .addColumn('settings_hash', 'text')
    .addColumn('detection', 'text')
    .addColumn('entry', 'text')
    .addColumn('counts', 'text')
    .addColumn('issues', 'text')
    .addColumn('issues_sha', 'text')
    .addColumn('rows_sha', 'text')
    .addColumn('columns', 'text')
    .addColumn('cell_names', 'text')
    .addColumn('intent', 'text')
    .addColumn('outranked', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('account', 'text')
    .addColumn('rejections_sha', 'text')
    .addColumn('rejections_total', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('diff', 'text')
    .addColumn('modified_at', 'bigint')
    .addColumn('reports', 'text')
    .addColumn('bytes_pruned_at', 'bigint')
    .addColumn('reports_pruned_at', 'bigint')
    .addColumn('sandbox', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('runs_by_feed').on('runs').columns(['feed', 'created_at']).execute();
  await db.schema.createIndex('runs_by_time').on('runs').column('created_at').execute();
  await db.schema.createIndex('runs_by_intent').on('runs').column('intent').execute();
  await sql`create index runs_open on runs (stage) where stage <> 'done'`.execute(db);
}

async function createFeeds(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('feeds')
    .addColumn('feed', 'text', (c) => c.primaryKey())
    .addColumn('login', 'text', (c) => c.notNull())
    .addColumn('candidate', 'text')
    .addColumn('candidate_at', 'bigint')
    .addColumn('contribution', 'text')
    .addColumn('live_sha', 'text')
    .addColumn('live_settings', 'text')
    .addColumn('checkpoint', 'text')
    .addColumn('schedule', 'text')
    .addColumn('next_due', 'bigint')
    .addColumn('delivered', 'text')
    .addColumn('delivered_at', 'bigint')
    .addColumn('expected_from', 'bigint')
    .addColumn('warned_at', 'bigint')
    .execute();
}

async function createUploads(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('datasets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('login', 'text', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('rows', 'bigint', (c) => c.notNull())
    .addColumn('index_sha', 'text', (c) => c.notNull())
    .addColumn('parts', 'text', (c) => c.notNull())
    .addColumn('offer', 'text', (c) => c.notNull())
    .addColumn('merged_tags', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('pruned_at', 'bigint')
    .execute();
  await db.schema
    .createTable('intents')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('login', 'text', (c) => c.notNull())
    .addColumn('dataset', 'text', (c) => c.notNull().references('datasets.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('cause', 'text', (c) => c.notNull())
    .addColumn('rollback_to', 'text')
    .addColumn('known_ids', 'text')
    .addColumn('result', 'text')
    .addColumn('closed_at', 'bigint')
    .addColumn('receipt', 'text')
    .addColumn('rejected_rows', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('accounts', 'text')
    .execute();
  await sql`create unique index one_open_intent_per_login on intents (login) where result is null`.execute(db);
  await db.schema
    .createTable('uploads')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('intent', 'text', (c) => c.notNull().references('intents.id'))
    .addColumn('login', 'text', (c) => c.notNull())
    .addColumn('attempt', 'integer', (c) => c.notNull())
    .addColumn('token', 'text', (c) => c.notNull().unique())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('offer_id', 'text')
    .addColumn('adopted', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('looks', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('first_look_at', 'bigint')
    .addColumn('refusal', 'text')
    .addColumn('waits', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('note', 'text')
    .addColumn('service_state', 'text')
    .addColumn('error', 'text')
    .addColumn('lines_processed', 'bigint')
    .addColumn('progress_at', 'bigint')
    .addColumn('silent_since', 'bigint')
    .addColumn('record', 'text')
    .addColumn('errors_sha', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('sent_at', 'bigint')
    .addColumn('closed_at', 'bigint')
    .execute();
  await sql`create unique index one_open_upload_per_login on uploads (login)
    where state in ('intended', 'sending', 'unknown', 'submitted')`.execute(db);
  await db.schema.createIndex('uploads_by_intent').on('uploads').column('intent').execute();
}

async function createIncidents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('incidents')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('login', 'text', (c) => c.notNull())
    .addColumn('feed', 'text')
    .addColumn('run', 'text')
    .addColumn('cause', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('numbers', 'text', (c) => c.notNull())
    .addColumn('times', 'integer', (c) => c.notNull())
    .addColumn('opened_at', 'bigint', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .addColumn('told_at', 'bigint')
    .addColumn('recovered_at', 'bigint')
    .addColumn('recovery', 'text')
    .addColumn('recovered_run', 'text')
    .addColumn('settled_at', 'bigint')
    .execute();
  await sql`create unique index one_open_incident on incidents (kind, subject) where recovered_at is null`.execute(db);
}

async function createMails(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mails')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('recipient', 'text', (c) => c.notNull())
    .addColumn('run', 'text', (c) => c.references('runs.id').onDelete('cascade'))
    .addColumn('about', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('next_at', 'bigint', (c) => c.notNull())
    .addColumn('sent_to', 'text')
    .addColumn('error', 'text')
    .addColumn('given_up_at', 'bigint')
    .execute();
  await sql`create index mails_to_send on mails (next_at) where sent_to is null and given_up_at is null`.execute(db);
}
