import { OfferlineError } from '../../errors.ts';
import type { RedisConnection } from './redis-server.ts';

const EXPECTED =
  'redis://[user:password@]host[:port][/database], rediss:// for TLS, unix:///path/to/socket, ' +
  'redis+sentinel://[user:password@]host:port[,host:port…]/name[/database], ' +
  'or redis+cluster://[user:password@]host:port[,host:port…]; rediss+sentinel:// and rediss+cluster:// for TLS';

/** Files of certificates that an address names, as PEM. */
export type TlsFiles = { ca?: string; cert?: string; key?: string };

/** An address as connection options, and as text without credentials. */
type Parsed = { options: RedisConnection; where: string; tlsFiles?: TlsFiles };

/** An address as connection options, and as text without credentials. Fails with `config`; nothing of it is repeated then. */
export function parseRedisUrl(text: string): Parsed {
  try {
    const several =
      /^(?:redis|valkey)(?<secure>s?)\+(?<kind>sentinel|cluster):\/\/(?<user>[^@/]*@)?(?<hosts>[^@/?]+)(?:\/(?<path>[^?]*))?(?:\?(?<query>.*))?$/;
    const match = several.exec(text)?.groups;
    return match === undefined ? parsePlain(new URL(text)) : parseSeveral(match);
  } catch {
    throw new OfferlineError('config', `REDIS_URL is not a valid Redis address. Expected: ${EXPECTED}.`);
  }
}

function parsePlain(url: URL): Parsed {
  const access = credentials(url);
  if (url.protocol === 'unix:') {
    const path = decodeURIComponent(url.pathname);
    const db = databaseNumber(url.searchParams.get('db') ?? '0');
    return { options: { ...access, path, db }, where: `Redis at ${path}` };
  }
  const secure = url.protocol === 'rediss:' || url.protocol === 'valkeys:';
  if ((!secure && url.protocol !== 'redis:' && url.protocol !== 'valkey:') || url.hostname === '')
    throw new TypeError();
  const port = Number(url.port || 6379);
  const db = databaseNumber(url.pathname.slice(1) || '0');
  return {
    options: { ...access, host: bareHost(url), port, db, ...(secure ? { tls: {} } : {}) },
    where: `Redis at ${url.hostname}:${port}${db === 0 ? '' : `/${db}`}`,
    ...tlsFilesIn(url.searchParams, secure),
  };
}

const SENTINEL_QUERY = ['sentinelUser', 'sentinelPassword'];
const TLS_QUERY = ['ca', 'cert', 'key'];

/** An address with several hosts: the sentinels of a Redis, or nodes of a cluster. */
function parseSeveral(match: Record<string, string | undefined>): Parsed {
  const secure = match['secure'] === 's';
  const isCluster = match['kind'] === 'cluster';
  const query = new URLSearchParams(match['query'] ?? '');
  const known = [...TLS_QUERY, ...(isCluster ? [] : SENTINEL_QUERY)];
  if ([...query.keys()].some((name) => !known.includes(name))) throw new TypeError();
  const access = credentials(new URL(`redis://${match['user'] ?? ''}host`));
  const [hosts = '', path = ''] = [match['hosts'], match['path']];
  const { options, where } = isCluster ? parseCluster(hosts, path) : parseSentinels(hosts, path, query, secure);
  return { options: { ...access, ...options, ...(secure ? { tls: {} } : {}) }, where, ...tlsFilesIn(query, secure) };
}

function parseCluster(hosts: string, path: string): Parsed {
  // A cluster has no databases but the first.
  if (path !== '' && path !== '0') throw new TypeError();
  return { options: { cluster: nodesIn(hosts, 6379) }, where: `Redis Cluster at ${hosts}` };
}

function parseSentinels(hosts: string, path: string, query: URLSearchParams, secure: boolean): Parsed {
  const [name = '', database = '0', ...more] = path.split('/');
  if (name === '' || more.length > 0) throw new TypeError();
  const [sentinelUsername, sentinelPassword] = SENTINEL_QUERY.map((key) => query.get(key));
  const options = {
    sentinels: nodesIn(hosts, 26_379),
    name: decodeURIComponent(name),
    db: databaseNumber(database),
    ...(sentinelUsername == null ? {} : { sentinelUsername }),
    ...(sentinelPassword == null ? {} : { sentinelPassword }),
    ...(secure ? { enableTLSForSentinelMode: true } : {}),
  };
  return { options, where: `Redis ${options.name} behind the sentinels at ${hosts}` };
}

function nodesIn(hosts: string, usualPort: number): { host: string; port: number }[] {
  return hosts.split(',').map((host) => {
    const url = new URL(`redis://${host}`);
    if (url.hostname === '') throw new TypeError();
    return { host: bareHost(url), port: Number(url.port || usualPort) };
  });
}

/** The host without the brackets that an address of IPv6 has in a URL. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function tlsFilesIn(query: URLSearchParams, secure: boolean): Pick<Parsed, 'tlsFiles'> {
  const files = TLS_QUERY.flatMap((name) => {
    const file = query.get(name);
    return file === null || file === '' ? [] : [[name, file] as const];
  });
  if (files.length === 0) return {};
  // A certificate that is named and not used would be a false sense of safety.
  if (!secure) throw new TypeError();
  return { tlsFiles: Object.fromEntries(files) };
}

function credentials(url: URL): Pick<RedisConnection, 'username' | 'password'> {
  const username = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
}

function databaseNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new TypeError();
  return Number(text);
}
