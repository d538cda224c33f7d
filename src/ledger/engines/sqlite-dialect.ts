import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { OfferlineError } from '../../errors.ts';
import { fifoLock } from './fifo-lock.ts';
import { retryWhileBusy } from './sqlite-errors.ts';

/** SQLite waits for a lock synchronously, so this is also how long the event loop may stand still. */
const SQLITE_TIMEOUT_MS = 25;
/** Far over any honest transaction: a query outside the transaction that its own caller holds would wait for ever. */
const TURN_LIMIT_MS = 60_000;
const CACHED_STATEMENTS = 200;

/**
 * A Kysely dialect over `node:sqlite`: one connection, WAL, every commit on disk before it is answered. Transactions begin
 * `immediate` and queue in order; a file busy by another process is waited for about 10 s, the queue included, then a retryable `ledger`
 * error. Integers are JS numbers (beyond 2^53 reading fails); parameters are text, finite numbers, bigints, bytes or null.
 * Read only, transactions see one moment of the file, which must exist; nothing of it changes.
 */
export function sqliteDialect(file: string, options: { readOnly?: boolean } = {}): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => sqliteDriver(file, options.readOnly ?? false),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class Adapter extends SqliteAdapter {
  /** The driver queues by itself, in order and with a limit; Kysely's own lock has neither. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** Migrations run inside `begin immediate`, so that two processes that start together cannot both run them. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function sqliteDriver(file: string, readOnly: boolean): Driver {
  const lock = fifoLock();
  let opened: { db: DatabaseSync; connection: DatabaseConnection } | undefined;
  const database = () => {
    if (opened === undefined) throw new OfferlineError('ledger', `The ledger ${file} is closed.`);
    return opened;
  };
  let asked = 0;
  const takeTurn = async () => {
    const since = performance.now();
    if (await lock.acquire(TURN_LIMIT_MS)) {
      asked = since;
      return;
    }
    throw new OfferlineError(
      'ledger',
      `The ledger ${file} was held by one transaction for ${TURN_LIMIT_MS / 1000} s.`,
      {
        retryable: true,
      },
    );
  };
  const exec = (sql: string, since?: number) => retryWhileBusy(file, () => database().db.exec(sql), since);
  return {
    init: async () => {
      const db = await openFile(file, readOnly);
      opened = { db, connection: connectionOf(db, file, () => asked) };
    },
    acquireConnection: async () => {
      await takeTurn();
      return database().connection;
    },
    releaseConnection: async () => {
      // A transaction that was begun by hand and never ended must not swallow the next caller's writes.
      if (database().db.isTransaction) database().db.exec('rollback');
      lock.release();
    },
    beginTransaction: () => exec(readOnly ? 'begin deferred' : 'begin immediate', asked),
    commitTransaction: () => exec('commit'),
    rollbackTransaction: async () => {
      // SQLite has already rolled back by itself after some errors (disk full, for one); the cause must stay visible.
      if (database().db.isTransaction) database().db.exec('rollback');
    },
    destroy: async () => {
      await takeTurn();
      database().db.close();
      opened = undefined;
      lock.release();
    },
  };
}

function openFile(file: string, readOnly: boolean): Promise<DatabaseSync> {
  return retryWhileBusy(file, () => {
    const db = new DatabaseSync(file, { timeout: SQLITE_TIMEOUT_MS, enableForeignKeyConstraints: true, readOnly });
    if (readOnly) return db;
    try {
      const mode = db.prepare('pragma journal_mode = wal').get();
      if (mode?.['journal_mode'] !== 'wal') {
        throw new OfferlineError(
          'ledger',
          `The ledger ${file} must be on a local disk: no write-ahead log is possible here.`,
        );
      }
      db.exec('pragma synchronous = full');
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function connectionOf(db: DatabaseSync, file: string, asked: () => number): DatabaseConnection {
  const prepare = statementCache(db);
  return {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery) => {
      const values = bindable(parameters, sql);
      const run = (): QueryResult<R> => {
        const { statement, reader } = prepare(sql);
        if (reader) return { rows: statement.all(...values) as R[] };
        const { changes, lastInsertRowid } = statement.run(...values);
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
      };
      return retryWhileBusy(file, run, db.isTransaction ? undefined : asked());
    },
    streamQuery: <R>({ sql, parameters }: CompiledQuery) => streamRows<R>(db.prepare(sql), bindable(parameters, sql)),
  };
}

async function* streamRows<R>(statement: StatementSync, values: SQLInputValue[]): AsyncGenerator<QueryResult<R>> {
  for (const row of statement.iterate(...values)) yield { rows: [row as R] };
}

/**
 * Prepares each SQL text once and keeps the most recently used. A statement without result columns has to be `run`:
 * asked for its rows it answers none, and a reading one that is `run` loses them without a word.
 */
function statementCache(db: DatabaseSync): (sql: string) => { statement: StatementSync; reader: boolean } {
  const cache = new Map<string, { statement: StatementSync; reader: boolean }>();
  return (sql) => {
    let entry = cache.get(sql);
    if (entry === undefined) {
      const statement = db.prepare(sql);
      entry = { statement, reader: statement.columns().length > 0 };
    }
    cache.delete(sql);
    cache.set(sql, entry);
    if (cache.size > CACHED_STATEMENTS) cache.delete(cache.keys().next().value ?? sql);
    return entry;
  };
}

/** Refuses values that SQLite would store as something else or, as a first parameter, take for a map of named ones. */
function bindable(parameters: readonly unknown[], sql: string): SQLInputValue[] {
  return parameters.map((value, index) => {
    const fits =
      value === null ||
      typeof value === 'string' ||
      typeof value === 'bigint' ||
      (typeof value === 'number' && Number.isFinite(value)) ||
      value instanceof Uint8Array;
    if (fits) return value;
    const kind =
      typeof value === 'number' ? String(value) : value instanceof Date ? 'a Date' : `a value of type ${typeof value}`;
    throw new TypeError(`Parameter ${index + 1} is ${kind}, which the ledger cannot store: ${sql}`);
  });
}
