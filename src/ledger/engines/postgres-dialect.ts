import { PostgresDialect, type Dialect, type PostgresPool } from 'kysely';
import type { CustomTypesConfig } from 'pg';
import { OfferlineError } from '../../errors.ts';
import { reconnecting } from './postgres-reconnect.ts';

const CONNECT_LIMIT_MS = 10_000;
/** A worker that was stopped inside a transaction must not keep everybody else's rows locked. */
const IDLE_IN_TRANSACTION_LIMIT_MS = 60_000;
const MAX_CONNECTIONS = 10;

/** Types that the ledger uses only for times, counts and their sums: int8 and numeric. Offer ids are text. */
const NUMBER_TYPES = new Set([20, 1700]);

/**
 * A Kysely dialect over a pool of `pg`, which is loaded at the first query; counts and times are JS numbers. Fails with
 * `config` for what is no address of a Postgres, without repeating it.
 */
export function postgresDialect(url: string): Dialect {
  if (!/^postgres(ql)?:\/\/./.test(url)) {
    throw new OfferlineError('config', 'DATABASE_URL must start with postgres:// and name a host and a database.');
  }
  return new PostgresDialect({ pool: () => openPool(url) });
}

async function openPool(url: string): Promise<PostgresPool> {
  const { default: pg } = await import('pg');
  const types: CustomTypesConfig = {
    getTypeParser: (id, format) =>
      NUMBER_TYPES.has(id) && format !== 'binary' ? toNumber : (pg.types.getTypeParser(id, format) as never),
  };
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'offerline',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_LIMIT_MS,
    keepAlive: true,
    types,
  });
  // A connection that the server ends says so at the pool while it is idle, and by itself while it is in use. The next query on it
  // fails; an event without a listener would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return reconnecting(pool);
}

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${text} is too large for a JS number.`);
  }
  return value;
}
