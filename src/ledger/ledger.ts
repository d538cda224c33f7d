import { mkdir } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { Kysely, sql, type Transaction } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { messageOf, OfferlineError, systemCode } from '../errors.ts';
import { untilCommitted, untilDone } from './engines/postgres-reconnect.ts';
import type { PostgresLimits } from './engines/postgres-silence.ts';
import { jsonColumns } from './schema/json-plugin.ts';
import type { Database } from './schema/schema.ts';

/**
 * The truth about runs, uploads and what is live. Every process of an installation opens the same ledger; the queue only
 * wakes workers up.
 */
export type Ledger = {
  engine: 'sqlite' | 'postgres';
  /** Names this ledger; the queue's Redis holds it, so that two ledgers never share one queue. */
  id: string;
  db: Kysely<Database>;
  /**
   * Runs `work` in one transaction that sees no other writer's changes half done. Must not be nested. `work` does nothing but
   * ask and change the ledger: it runs again when a connection is dropped before its changes are kept.
   */
  transaction: <T>(work: (trx: Transaction<Database>) => Promise<T>) => Promise<T>;
  /** Epoch milliseconds by the database's clock. */
  now: () => Promise<number>;
  /** Name and version of the database. */
  version: () => Promise<string>;
  close: () => Promise<void>;
};

/** Anything that SQL can run on: the ledger's connection or a transaction of it. */
export type Db = Kysely<Database>;

/** A SQLite file, or Postgres when a URL is given; tests wait for it less patiently. */
type Place = { file: string; databaseUrl?: string | undefined; limits?: PostgresLimits };

/** In order. Their names are recorded in every ledger: never rename one, and put a new one at the end. */
const MIGRATIONS: Record<string, () => Promise<Migration>> = {
  '001-initial': () => import('./migrations/001-initial.ts'),
  '004-clocks': () => import('./migrations/004-clocks.ts'),
  '005-starts-and-faults': () => import('./migrations/005-starts-and-faults.ts'),
  '006-reason-codes': () => import('./migrations/006-reason-codes.ts'),
  '007-indexes': () => import('./migrations/007-indexes.ts'),
  '008-accepted-columns': () => import('./migrations/008-accepted-columns.ts'),
  '009-signals': () => import('./migrations/009-signals.ts'),
  '010-told-managers': () => import('./migrations/010-told-managers.ts'),
  '011-taken-files': () => import('./migrations/011-taken-files.ts'),
  '012-source-denials': () => import('./migrations/012-source-denials.ts'),
  '013-access': () => import('./migrations/013-access.ts'),
  '014-lists': () => import('./migrations/014-lists.ts'),
  '015-unread-columns': () => import('./migrations/015-unread-columns.ts'),
  '016-archived-objects': () => import('./migrations/016-archived-objects.ts'),
  '019-traces': () => import('./migrations/019-traces.ts'),
};

/** Opens the ledger, creates or migrates its tables. */
export async function openLedger(where: Place): Promise<Ledger> {
  const engine = where.databaseUrl === undefined ? 'sqlite' : 'postgres';
  const db = await connect(where);
  try {
    const id = await untilDone(async () => {
      await migrate(db, engine);
      return ledgerId(db);
    });
    return ledgerOn(db, engine, id);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/**
 * Opens a ledger that is there, of this version, only to ask it: over a connection of its own, so that no question waits for a writer or
 * delays one. Fails with `ledger` when there is none.
 */
export async function openReader(where: Place): Promise<Ledger> {
  const engine = where.databaseUrl === undefined ? 'sqlite' : 'postgres';
  const db = await connect(where, { readOnly: true });
  try {
    const row = await untilDone(() =>
      db.selectFrom('meta').select('value').where('key', '=', LEDGER_ID).executeTakeFirstOrThrow(),
    );
    return ledgerOn(db, engine, row.value);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

function ledgerOn(db: Kysely<Database>, engine: Ledger['engine'], id: string): Ledger {
  return {
    engine,
    id,
    db,
    transaction: (work) => untilCommitted(() => db.transaction().execute(work)),
    now: async () => (await sql<{ now: number }>`select ${databaseNow(engine)} as now`.execute(db)).rows[0]?.now ?? 0,
    version: async () => {
      const version =
        engine === 'sqlite' ? sql<string>`sqlite_version()` : sql<string>`current_setting('server_version')`;
      return `${engine} ${(await sql<{ version: string }>`select ${version} as version`.execute(db)).rows[0]?.version}`;
    },
    close: () => db.destroy(),
  };
}

/** The database's clock, and so many milliseconds later, in epoch milliseconds as an SQL expression. */
export function databaseNow(engine: 'sqlite' | 'postgres', later = 0) {
  return engine === 'sqlite'
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer) + ${later}`
    : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint + ${later}::bigint`;
}

/** Connects to the ledger's database, whatever version its tables have. Read only is up to the caller's transactions on Postgres. */
export async function connect(where: Place, options: { readOnly?: boolean } = {}): Promise<Kysely<Database>> {
  return new Kysely<Database>({ dialect: await dialectFor(where, options), plugins: [jsonColumns()] });
}

async function dialectFor(where: Place, options: { readOnly?: boolean }) {
  if (where.databaseUrl !== undefined) {
    const { postgresDialect } = await import('./engines/postgres-dialect.ts');
    return postgresDialect(where.databaseUrl, where.limits);
  }
  if (options.readOnly !== true) await mkdir(dirname(where.file), { recursive: true });
  const { sqliteDialect } = await import('./engines/sqlite-dialect.ts');
  return sqliteDialect(where.file, options);
}

async function migrate(db: Kysely<Database>, engine: Ledger['engine']): Promise<void> {
  const provider = {
    getMigrations: async () => {
      const loaded = await Promise.all(
        Object.entries(MIGRATIONS).map(async ([name, load]) => [name, unlimited(await load(), engine)] as const),
      );
      return Object.fromEntries(loaded);
    },
  };
  const { error } = await new Migrator({ db: db.withoutPlugins(), provider }).migrateToLatest();
  if (error !== undefined) throw cannotOpen(error, engine);
}

/** A large ledger takes its time: until the end of its transaction, a migration on Postgres has no limits. */
function unlimited(migration: Migration, engine: Ledger['engine']): Migration {
  if (engine === 'sqlite') return migration;
  return {
    up: async (db) => {
      await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`.execute(db);
      await migration.up(db);
    },
  };
}

/** Codes of Postgres for a login or database that is not there, a server that starts or stops, and full connections. */
const CANNOT_ENTER = /^(28|3D|57P|53|08)/;

/** Tells a server that cannot be used, and what is said plainly already, from tables that do not fit this version. */
function cannotOpen(error: unknown, engine: Ledger['engine']): OfferlineError {
  if (error instanceof OfferlineError) return error;
  const code = systemCode(error) ?? '';
  const why = messageOf(error);
  const unreachable = code.startsWith('E') || CANNOT_ENTER.test(code) || /timeout|terminated/i.test(why);
  if (engine === 'postgres' && unreachable) {
    const advice = 'Check its address, its login, and that it runs.';
    return new OfferlineError('ledger', `The Postgres of DATABASE_URL cannot be used: ${why}. ${advice}`, {
      retryable: true,
      cause: error,
    });
  }
  const newer = /previously executed migration (\S+) is missing/.exec(why)?.[1];
  const message =
    newer === undefined
      ? `The ledger could not be migrated to this version: ${why}`
      : `The ledger was written by a newer version of offerline (migration ${newer}). Run that version, or restore the backup from before the upgrade.`;
  return new OfferlineError('ledger', message, { cause: error });
}

const LEDGER_ID = 'ledger-id';

async function ledgerId(db: Kysely<Database>): Promise<string> {
  await db
    .insertInto('meta')
    .values({ key: LEDGER_ID, value: randomUUID() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const row = await db.selectFrom('meta').select('value').where('key', '=', LEDGER_ID).executeTakeFirstOrThrow();
  return row.value;
}
