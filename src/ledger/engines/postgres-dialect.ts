import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { PostgresAdapter, PostgresDialect, type Dialect, type PostgresPool } from 'kysely';
import type { ClientBase, CustomTypesConfig } from 'pg';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import { parsePostgresAddress, type PostgresAddress } from './postgres-address.ts';
import { serversOf } from './postgres-hosts.ts';
import { reconnecting } from './postgres-reconnect.ts';
import { USUAL_LIMITS, type PostgresLimits } from './postgres-silence.ts';

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
  const address = parsePostgresAddress(url);
  return new LedgerDialect({ pool: () => openPool(address, limits) });
}

/**
 * Migrations are locked by the ledger, within their transaction (src/ledger/migrate.ts): Kysely's lock belongs to a session, which
 * a pooler hands from one client to the next between any two statements.
 */
class LedgerAdapter extends PostgresAdapter {
  override acquireMigrationLock = () => Promise.resolve();
  override releaseMigrationLock = () => Promise.resolve();
}

class LedgerDialect extends PostgresDialect {
  override createAdapter = () => new LedgerAdapter();
}

async function openPool(address: PostgresAddress, usual: PostgresLimits): Promise<PostgresPool> {
  const { default: pg } = await import('pg');
  await assertReadable(address);
  const limits = { ...usual, connect: address.connect ?? usual.connect };
  const types: CustomTypesConfig = {
    getTypeParser: (id, format) =>
      NUMBER_TYPES.has(id) && format !== 'binary' ? toNumber : (pg.types.getTypeParser(id, format) as never),
  };
  const settings = {
    application_name: 'offerline',
    types,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const servers = serversOf(pg.Client, address, settings, limits.connect);
  // The pool waits for it, whatever its type says.
  const onConnect: (client: ClientBase) => unknown = servers.examine;
  const pool = new pg.Pool({
    Client: servers.Client,
    onConnect,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: limits.connect,
  });
  // A connection that the server ends says so at the pool while it is idle, and by itself while it is in use. The next query on it
  // fails; an event without a listener would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    closeInTime(client);
  });
  return reconnecting(pool, limits, servers);
}

/** The files of TLS are read by each connection; one that is not there is said once, and plainly. */
async function assertReadable({ files }: PostgresAddress): Promise<void> {
  for (const [parameter, file] of files) {
    await access(file, constants.R_OK).catch((error: unknown) => {
      const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
      throw new OfferlineError('config', `DATABASE_URL names ${file} as ${parameter}, which ${why}.`);
    });
  }
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
