import type { Socket } from 'node:net';
import { PostgresDialect, type Dialect, type PostgresPool } from 'kysely';
import type { ClientBase, CustomTypesConfig } from 'pg';
import { OfferlineError } from '../../errors.ts';
import { reconnecting } from './postgres-reconnect.ts';
import { inquiryOf, USUAL_LIMITS, type PostgresLimits } from './postgres-silence.ts';

/**
 * Limits that the server keeps, in milliseconds; the parameters of these names in the address say otherwise. A worker that was
 * stopped, or cut off, inside a transaction must not keep everybody else's rows locked, and who waits for them outlasts it.
 */
const SERVER_LIMITS = {
  idle_in_transaction_session_timeout: 30_000,
  lock_timeout: 60_000,
  statement_timeout: 300_000,
};
/** Silence after which the operating system asks whether the other side of a connection is there. */
const KEEP_ALIVE_MS = 10_000;
/** How long a server may take to close a connection that is given up. */
const CLOSING_MS = 2_000;
const MAX_CONNECTIONS = 10;

/** Types that the ledger uses only for times, counts and their sums: int8 and numeric. Offer ids are text. */
const NUMBER_TYPES = new Set([20, 1700]);

/**
 * A Kysely dialect over a pool of `pg`, which is loaded at the first query; counts and times are JS numbers. Fails with
 * `config` for what is no address of a Postgres, without repeating it.
 */
export function postgresDialect(url: string, limits = USUAL_LIMITS): Dialect {
  if (!/^postgres(ql)?:\/\/./.test(url)) {
    throw new OfferlineError('config', 'DATABASE_URL must start with postgres:// and name a host and a database.');
  }
  return new PostgresDialect({ pool: () => openPool(url, limits) });
}

async function openPool(url: string, limits: PostgresLimits): Promise<PostgresPool> {
  const { default: pg } = await import('pg');
  const types: CustomTypesConfig = {
    getTypeParser: (id, format) =>
      NUMBER_TYPES.has(id) && format !== 'binary' ? toNumber : (pg.types.getTypeParser(id, format) as never),
  };
  const settings = { connectionString: url, application_name: 'offerline', types };
  const pool = new pg.Pool({
    ...settings,
    ...SERVER_LIMITS,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: limits.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  // A connection that the server ends says so at the pool while it is idle, and by itself while it is in use. The next query on it
  // fails; an event without a listener would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    closeInTime(client);
  });
  return reconnecting(pool, limits, inquiryOf(pg.Client, settings, limits.connect));
}

/** A server that cannot be reached any more never closes its side: that must keep neither the connection nor the process. */
function closeInTime(client: ClientBase): void {
  const { stream } = (client as ClientBase & { connection: { stream: Socket } }).connection;
  stream.once('finish', () => {
    stream.unref();
    setTimeout(() => stream.destroy(), CLOSING_MS).unref();
  });
}

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${text} is too large for a JS number.`);
  }
  return value;
}
