import type { Socket } from 'node:net';
import type { ClientBase, ClientConfig, QueryConfig } from 'pg';
import { messageOf, systemCode } from '../../errors.ts';
import type { PostgresAddress, PostgresHost, SessionAttrs } from './postgres-address.ts';
import { inquiryOf, type Inquiry } from './postgres-silence.ts';
import { tlsTrouble } from './postgres-tls.ts';

type PgClient = typeof import('pg').Client;

/** The servers of an address: which of them is worked with, and what is known of connections to it. */
export type Servers = {
  /** A client of `pg` that connects to the server that is worked with. */
  Client: new () => ClientBase;
  /** Looks at a connection that was just opened; fails when its server is not one that is wanted. */
  examine: (client: ClientBase) => Promise<void>;
  /** Looks for the server to work with where none is known; fails with a sentence that names each and why it was passed over. */
  find: () => Promise<void>;
  /** Says that a connection could not be opened, or that its server takes no changes. True when the next one is opened differently. */
  failed: (error?: unknown) => boolean;
  /** True for a connection to the server that is worked with. */
  isCurrent: (client: object) => boolean;
  /** Statements that set the limits within a transaction, for a connection of a pooler, which has no session; empty otherwise. */
  limitsWithin: (client: object) => string;
  /** What is asked about connections to the server of a connection. */
  inquiryAt: (client: object) => Inquiry;
};

type ConnectedClient = ClientBase & { connection: { stream: Socket } };

/** What a server says of itself and of a connection to it. */
type Session = { standby: boolean; readOnly: boolean; pid: number };

/** A server that is there and is not the one that is wanted; another one may be, and this one later. */
const PASSED_OVER = '08004';
/** libpq: where a login is refused, no other host is asked. */
const REFUSED = /^28/u;
/** What a pooler answers that keeps no settings of sessions, such as PgBouncer. */
const NO_SETTINGS =
  /unsupported startup parameter: (statement_timeout|lock_timeout|idle_in_transaction_session_timeout)/u;

const SESSION = `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "readOnly",
  pg_backend_pid() as pid`;
const TIMELINE = `select (select system_identifier::text from pg_control_system()) as system,
  ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as timeline`;

/** The newest timeline of each database system that this process has worked with: a promotion begins a new one. */
const timelines = new Map<string, number>();

/** Keeps track of the servers of an address. `limit`: milliseconds for a connection, and for an answer about it. */
export function serversOf(Client: PgClient, address: PostgresAddress, settings: ClientConfig, limit: number): Servers {
  const { hosts, attrs, serverLimits } = address;
  const isOnly = hosts.length === 1;
  let current: PostgresHost | undefined = isOnly ? hosts[0] : undefined;
  let finding: Promise<PostgresHost> | undefined;
  let keepsSettings = true;
  const hostOf = new WeakMap<object, PostgresHost>();
  const pooled = new WeakSet<object>();

  const settingsFor = ({ connectionString }: PostgresHost): ClientConfig => ({
    ...settings,
    ...(keepsSettings ? serverLimits : {}),
    connectionString,
    connectionTimeoutMillis: limit,
  });

  class HostClient extends Client {
    constructor(options?: ClientConfig) {
      const host = current ?? hosts[0];
      super({ ...options, ...settingsFor(host) });
      hostOf.set(this, host);
    }
  }

  const sessionOf = async (client: ClientBase): Promise<Session> => {
    const { rows } = await client.query<Session>(within(SESSION, limit));
    const [session] = rows;
    if (session === undefined) throw passedOver('does not say what it is');
    if (!isOnly && !session.standby) await assertNewest(client, limit);
    return session;
  };

  const examine = async (client: ClientBase) => {
    try {
      const session = await sessionOf(client);
      if ((client as { processID?: number | null }).processID !== session.pid) pooled.add(client);
      const why = attrs === 'prefer-standby' ? null : unwanted(session, attrs);
      if (why !== null) throw passedOver(`${hostOf.get(client)?.name} ${why}`);
    } catch (error) {
      // One that does not answer would not close its side either.
      (client as ConnectedClient).connection.stream.destroy();
      throw error;
    }
  };

  const probe = async (host: PostgresHost): Promise<Session> => {
    const client = new Client(settingsFor(host));
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await sessionOf(client);
    } finally {
      client.connection.stream.destroy();
    }
  };

  /** In order, as libpq does it. */
  const search = async (): Promise<PostgresHost> => {
    const reasons: string[] = [];
    let second: PostgresHost | undefined;
    for (const host of hosts) {
      try {
        const why = unwanted(await adapting(() => probe(host)), attrs);
        if (why === null) return host;
        second ??= host;
        reasons.push(`${host.name} ${why}`);
      } catch (error) {
        if (REFUSED.test(systemCode(error) ?? '')) throw error;
        reasons.push(`${host.name}: ${tlsTrouble(error) ?? messageOf(error)}`);
      }
    }
    if (attrs === 'prefer-standby' && second !== undefined) return second;
    throw passedOver(`none of its hosts serves: ${reasons.join('; ')}`);
  };

  const refusesSettings = (error: unknown) => {
    const refuses = NO_SETTINGS.test(messageOf(error));
    if (refuses) keepsSettings = false;
    return refuses;
  };

  const adapting = async <T>(open: () => Promise<T>): Promise<T> => {
    try {
      return await open();
    } catch (error) {
      if (!refusesSettings(error)) throw error;
      return open();
    }
  };

  return {
    Client: HostClient,
    examine,
    find: async () => {
      if (current !== undefined) return;
      finding ??= search().finally(() => (finding = undefined));
      current = await finding;
    },
    failed: (error) => {
      if (!isOnly) current = undefined;
      return refusesSettings(error);
    },
    isCurrent: (client) => isOnly || hostOf.get(client) === current,
    limitsWithin: (client) =>
      pooled.has(client)
        ? Object.entries(serverLimits)
            .map(([name, ms]) => `; set local ${name} = ${ms}`)
            .join('')
        : '',
    inquiryAt: (client) => inquiryOf(Client, settingsFor(hostOf.get(client) ?? hosts[0]), limit),
  };
}

/** Why a server is not one that is wanted; null for one that is. */
function unwanted({ standby, readOnly }: Session, attrs: SessionAttrs): string | null {
  const wanted = {
    any: true,
    'read-write': !readOnly,
    'read-only': readOnly,
    primary: !standby,
    standby,
    'prefer-standby': standby,
  };
  if (wanted[attrs]) return null;
  const what = standby ? 'is a standby' : readOnly ? 'is read-only' : 'is a primary';
  return `${what}, and target_session_attrs is ${attrs}`;
}

/**
 * An old primary that came back beside its successor is on an older timeline: what it takes is lost. A server that does not say
 * which it is on is believed.
 */
async function assertNewest(client: ClientBase, limit: number): Promise<void> {
  const asked = await client.query<{ system: string; timeline: number }>(within(TIMELINE, limit)).catch(() => null);
  const own = asked?.rows[0];
  if (own === undefined) return;
  const newest = timelines.get(own.system) ?? 0;
  if (own.timeline < newest) {
    throw passedOver(`is a primary of before the last failover (timeline ${own.timeline}, and ${newest} was seen)`);
  }
  timelines.set(own.system, own.timeline);
}

function passedOver(why: string): Error {
  return Object.assign(new Error(why), { code: PASSED_OVER });
}

/** A question of which the answer comes within a limit, or the connection does not count. */
function within(text: string, limit: number): QueryConfig {
  return { text, query_timeout: limit } as QueryConfig;
}
