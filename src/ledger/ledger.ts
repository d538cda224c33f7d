import { mkdir } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { Kysely, sql, type Transaction } from 'kysely';
import { untilCommitted, untilDone } from './engines/postgres-reconnect.ts';
import type { PostgresLimits } from './engines/postgres-silence.ts';
import { migrate, pendingMigrations } from './migrate.ts';
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

/** Runs `work` in the transaction that `db` is, or in one of its own. */
export function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : untilCommitted(() => db.transaction().execute(work));
}

/** A SQLite file, or Postgres when a URL is given; tests wait for it less patiently. */
type Place = { file: string; databaseUrl?: string | undefined; limits?: PostgresLimits };

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

/** What `offerline migrate` did, or with `check` what it would do. */
export type Migrated = { engine: Ledger['engine']; version: string; migrated: string[]; pending: string[] };

/** Brings the tables of a ledger to this version, or only looks what that would take; opens nothing else of an installation. */
export async function migrateLedger(where: Place, { check }: { check: boolean }): Promise<Migrated> {
  const engine = where.databaseUrl === undefined ? 'sqlite' : 'postgres';
  const db = await connect(where, { readOnly: check });
  try {
    return await untilDone(async () => {
      const pending = await pendingMigrations(db, engine);
      if (!check) {
        await migrate(db, engine);
        await ledgerId(db);
      }
      const version = await ledgerOn(db, engine, '').version();
      return { engine, version, ...(check ? { migrated: [], pending } : { migrated: pending, pending: [] }) };
    });
  } finally {
    await db.destroy();
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
