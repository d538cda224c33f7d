import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { messageOf, OfferlineError } from '../errors.ts';
import { isDenied } from './engines/postgres-reconnect.ts';
import type { Database } from './schema/schema.ts';

type Engine = 'sqlite' | 'postgres';

/** In order. Their names are recorded in every ledger: never rename one, and put a new one at the end. */
const MIGRATIONS: Record<string, () => Promise<Migration>> = {
  '001-initial': () => import('./migrations/before-1.0/001-initial.ts'),
  '004-clocks': () => import('./migrations/before-1.0/004-clocks.ts'),
  '005-starts-and-faults': () => import('./migrations/before-1.0/005-starts-and-faults.ts'),
  '006-reason-codes': () => import('./migrations/before-1.0/006-reason-codes.ts'),
  '007-indexes': () => import('./migrations/before-1.0/007-indexes.ts'),
  '008-accepted-columns': () => import('./migrations/before-1.0/008-accepted-columns.ts'),
  '009-signals': () => import('./migrations/before-1.0/009-signals.ts'),
  '010-told-managers': () => import('./migrations/before-1.0/010-told-managers.ts'),
  '011-taken-files': () => import('./migrations/before-1.0/011-taken-files.ts'),
  '012-source-denials': () => import('./migrations/before-1.0/012-source-denials.ts'),
  '013-access': () => import('./migrations/before-1.0/013-access.ts'),
  '014-lists': () => import('./migrations/before-1.0/014-lists.ts'),
  '015-unread-columns': () => import('./migrations/before-1.0/015-unread-columns.ts'),
  '016-archived-objects': () => import('./migrations/machines/016-archived-objects.ts'),
  '017-mail-files': () => import('./migrations/machines/017-mail-files.ts'),
  '018-workers': () => import('./migrations/machines/018-workers.ts'),
  '019-traces': () => import('./migrations/machines/019-traces.ts'),
  '020-delivery-order': () => import('./migrations/020-delivery-order.ts'),
  '021-findability': () => import('./migrations/021-findability.ts'),
  '022-demand': () => import('./migrations/022-demand.ts'),
  '023-absences': () => import('./migrations/023-absences.ts'),
  '024-results': () => import('./migrations/024-results.ts'),
  '025-changes': () => import('./migrations/025-changes.ts'),
  '026-hooks': () => import('./migrations/026-hooks.ts'),
  '027-incident-work': () => import('./migrations/027-incident-work.ts'),
  '028-pushed': () => import('./migrations/028-pushed.ts'),
  '029-calls': () => import('./migrations/029-calls.ts'),
  '030-requests': () => import('./migrations/030-requests.ts'),
  '031-supplier-links': () => import('./migrations/031-supplier-links.ts'),
  '032-sign-in': () => import('./migrations/032-sign-in.ts'),
  '033-push-keys': () => import('./migrations/033-push-keys.ts'),
  '034-second-person': () => import('./migrations/034-second-person.ts'),
  '035-hook-counts': () => import('./migrations/doors/035-hook-counts.ts'),
  '036-link-suppliers': () => import('./migrations/doors/036-link-suppliers.ts'),
};

/** The newest migration that this program knows. */
export const NEWEST_MIGRATION = Object.keys(MIGRATIONS).at(-1)!;

/** A migration that this program does not know: a newer version has brought the ledger further since it was opened. */
export async function newerMigration({ db }: { db: Kysely<Database> }): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(RECORD)} order by name desc`.execute(db);
  return rows.find(({ name }) => !Object.hasOwn(MIGRATIONS, name))?.name ?? null;
}

/** Where Kysely records them. */
const RECORD = 'kysely_migration';

/** One process migrates at a time. Kysely's own number, which versions before this one lock as well. */
const LOCK = 3_853_314_791_062_309_107n;

/** The migrations that a ledger still needs; fails when a newer version of offerline wrote it. Writes nothing. */
export async function pendingMigrations(db: Kysely<Database>, engine: Engine): Promise<string[]> {
  const recorded = await recordedIn(db, engine).catch((error: unknown) => {
    throw failed(error);
  });
  const newer = recorded.find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (newer !== undefined) throw writtenByNewer(newer);
  return Object.keys(MIGRATIONS).filter((name) => !recorded.includes(name));
}

/**
 * Creates the tables of a ledger, or brings them to this version; answers with the migrations that ran. `last`: the one to end with, such as that of a
 * backup that is about to be read; fails with `ledger` for one that this version does not know.
 */
export async function migrate(db: Kysely<Database>, engine: Engine, last = NEWEST_MIGRATION): Promise<string[]> {
  if (!Object.hasOwn(MIGRATIONS, last)) throw writtenByNewer(last);
  const pending = (await pendingMigrations(db, engine)).filter((name) => name <= last);
  if (pending.length === 0) return [];
  const plain = db.withoutPlugins();
  try {
    return engine === 'sqlite'
      ? await run(plain, last)
      : await plain.transaction().execute((trx) => runAlone(trx, last));
  } catch (error) {
    throw failed(error);
  }
}

/** Within this transaction Postgres has no limits: a large ledger takes its time, and so does a process that migrates it already. */
async function runAlone(trx: Kysely<Database>, last: string): Promise<string[]> {
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`.execute(trx);
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(trx);
  // As Kysely makes it, which takes a refusal for a table that another process has made meanwhile, and hides it.
  await sql`create table if not exists ${sql.table(RECORD)}
    (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(trx);
  return run(trx, last);
}

async function run(db: Kysely<Database>, last: string): Promise<string[]> {
  const provider = {
    getMigrations: async () => {
      const loaded = await Promise.all(
        Object.entries(MIGRATIONS).map(async ([name, load]) => [name, await load()] as const),
      );
      return Object.fromEntries(loaded);
    },
  };
  const { error, results } = await new Migrator({ db, provider }).migrateTo(last);
  if (error !== undefined) throw error;
  return (results ?? []).map(({ migrationName }) => migrationName);
}

async function recordedIn(db: Kysely<Database>, engine: Engine): Promise<string[]> {
  const found =
    engine === 'sqlite'
      ? sql<{ name: string | null }>`select max(name) as name from sqlite_master where name = ${RECORD}`
      : sql<{ name: string | null }>`select to_regclass(${RECORD})::text as name`;
  if (!(await found.execute(db)).rows[0]?.name) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(RECORD)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Tells what is said plainly already from tables that do not fit this version. */
function failed(error: unknown): OfferlineError {
  if (error instanceof OfferlineError) return isDenied(error) ? mayNotMigrate(error) : error;
  const why = messageOf(error);
  const newer = /previously executed migration (\S+) is missing/.exec(why)?.[1];
  if (newer !== undefined) return writtenByNewer(newer);
  return new OfferlineError('ledger', `The ledger could not be migrated to this version: ${why}`, { cause: error });
}

function writtenByNewer(migration: string): OfferlineError {
  return new OfferlineError(
    'ledger',
    `The ledger was written by a newer version of offerline (migration ${migration}). Run that version, or restore the backup from before the upgrade.`,
  );
}

/** The role that works every day need not be one that may change tables. */
function mayNotMigrate(cause: OfferlineError): OfferlineError {
  const why = messageOf(cause.cause);
  const advice = 'Run `offerline migrate` with a role that may, then start again.';
  const message = `The ledger's tables are not those of this version, and the role of DATABASE_URL may not change them: ${why}. ${advice}`;
  return new OfferlineError('ledger', message, { cause });
}
