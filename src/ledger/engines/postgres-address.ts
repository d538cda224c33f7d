import { OfferlineError } from '../../errors.ts';

/** Which servers are taken, as libpq's `target_session_attrs` says it. */
export type SessionAttrs = (typeof SESSION_ATTRS)[number];

/** Limits that the server keeps for a session, in milliseconds. */
type ServerLimits = Record<keyof typeof SERVER_LIMITS, number>;

/** One server of an address. */
export type PostgresHost = {
  /** Its name and port, as messages show them. */
  name: string;
  /** An address of this server alone, for `pg`. */
  connectionString: string;
};

/** What DATABASE_URL says. */
export type PostgresAddress = {
  hosts: [PostgresHost, ...PostgresHost[]];
  attrs: SessionAttrs;
  serverLimits: ServerLimits;
  /** How long a connection to one host may take, in milliseconds; undefined where the address does not say. */
  connect: number | undefined;
  /** Files that must be there, by the parameter that names them. */
  files: [parameter: string, file: string][];
};

const SESSION_ATTRS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;

/**
 * A worker that was stopped, or cut off, inside a transaction must not keep everybody else's rows locked, and who waits for them
 * outlasts it.
 */
const SERVER_LIMITS = {
  idle_in_transaction_session_timeout: 30_000,
  lock_timeout: 60_000,
  statement_timeout: 300_000,
};

/** `pg` checks the certificate and the host name in all of them but `disable` and `no-verify`. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** Modes that mean `verify-full` to `pg`, which warns of them on the standard error of the process. */
const STRICTER = /^(prefer|require|verify-ca)$/u;
const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

const DEFAULT_PORT = '5432';
const ADDRESS = /^postgres(?:ql)?:\/\/(?=.)((?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/u;

/**
 * Reads an address with one host or several (`postgres://user:password@a:5432,b:5432/db?target_session_attrs=read-write`). Of
 * several, the ledger needs one that takes changes, unless the address says otherwise. Fails with `config`, without repeating it.
 */
export function parsePostgresAddress(url: string): PostgresAddress {
  const [, user = '', authority = '', path = '', query = ''] = ADDRESS.exec(url) ?? [];
  if (!ADDRESS.test(url)) throw wrong('must start with postgres:// and name a host and a database');
  const parameters = new URLSearchParams(query);
  const hosts = hostsIn(authority, parameters);
  const attrs = oneOf(SESSION_ATTRS, 'target_session_attrs', parameters) ?? (hosts.length > 1 ? 'read-write' : 'any');
  const seconds = wholeNumber('connect_timeout', 'seconds', parameters);
  const serverLimits = { ...SERVER_LIMITS };
  for (const name of Object.keys(SERVER_LIMITS) as (keyof ServerLimits)[]) {
    serverLimits[name] = wholeNumber(name, 'milliseconds', parameters) ?? serverLimits[name];
  }
  if (STRICTER.test(oneOf(SSL_MODES, 'sslmode', parameters) ?? '') && parameters.get('uselibpqcompat') !== 'true') {
    parameters.set('sslmode', 'verify-full');
  }
  const files = TLS_FILES.flatMap((name): [string, string][] => {
    const file = parameters.get(name);
    return file === null ? [] : [[name, file]];
  });
  for (const name of ['host', 'port', 'target_session_attrs', 'connect_timeout', ...Object.keys(SERVER_LIMITS)]) {
    parameters.delete(name);
  }
  const settings = hosts.map(({ host, port }): PostgresHost => {
    const own = new URLSearchParams(parameters);
    if (host !== '') own.set('host', host);
    if (port !== '') own.set('port', port);
    return { name: nameOf(host, port), connectionString: `postgres://${user}${path || '/'}?${own.toString()}` };
  });
  // As for libpq, 0 says nothing.
  const connect = seconds === undefined || seconds === 0 ? undefined : seconds * 1000;
  return { hosts: settings as PostgresAddress['hosts'], attrs, serverLimits, connect, files };
}

type Host = { host: string; port: string };

/** The hosts of an address, or those that its parameters `host` and `port` name in their place. */
function hostsIn(authority: string, parameters: URLSearchParams): Host[] {
  const listed = authority.split(',').map((text) => {
    const [, v6, name, port = ''] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/u.exec(text) ?? [];
    const host = v6 ?? (name === undefined ? undefined : decoded(name));
    if (host === undefined) throw wrong('names a host that cannot be read; write NAME:PORT, or [ADDRESS]:PORT');
    return { host, port };
  });
  const names = parameters.get('host')?.split(',') ?? listed.map(({ host }) => host);
  const ports = parameters.get('port')?.split(',') ?? listed.map(({ port }) => port);
  if (ports.length !== 1 && ports.length !== names.length) {
    throw wrong(
      `names ${names.length} hosts and ${ports.length} ports; write one port for all of them, or one for each`,
    );
  }
  return names.map((host, at) => {
    const port = (ports.length === 1 ? ports[0] : ports[at]) ?? '';
    if (!/^\d{0,5}$/u.test(port) || Number(port) > 65_535) throw wrong(`names a port that is no number up to 65535`);
    if (host === '' && names.length > 1) throw wrong('names a host without a name; remove the comma that is too many');
    return { host, port };
  });
}

function nameOf(host: string, port: string): string {
  const shown = host.includes(':') ? `[${host}]` : host || 'localhost';
  return host.startsWith('/') ? shown : `${shown}:${port || DEFAULT_PORT}`;
}

function oneOf<T extends string>(allowed: readonly T[], name: string, parameters: URLSearchParams): T | undefined {
  const value = parameters.get(name);
  if (value === null) return undefined;
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw wrong(`has a ${name} that is none of ${allowed.join(', ')}`);
  return found;
}

function wholeNumber(name: string, unit: string, parameters: URLSearchParams): number | undefined {
  const value = parameters.get(name);
  if (value === null) return undefined;
  if (!/^\d{1,9}$/u.test(value)) throw wrong(`has a ${name} that is no whole number of ${unit}`);
  return Number(value);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function wrong(why: string): OfferlineError {
  return new OfferlineError('config', `DATABASE_URL ${why}.`);
}
