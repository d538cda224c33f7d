import { OfferlineError } from '../../errors.ts';
import type { RedisConnection } from './redis-server.ts';

const EXPECTED =
  'redis://[user:password@]host[:port][/database], rediss:// for TLS, unix:///path/to/socket, ' +
  'or redis+sentinel://[user:password@]host:port[,host:port…]/name[/database]';

/** An address as connection options, and as text without credentials. Fails with `config`; nothing of it is repeated then. */
export function parseRedisUrl(text: string): { options: RedisConnection; where: string } {
  try {
    const sentinels = /^redis\+sentinel:\/\/(?<user>[^@/]*@)?(?<hosts>[^@/]+)\/(?<name>[^/]+)(?:\/(?<database>\d+))?$/;
    const match = sentinels.exec(text)?.groups;
    return match === undefined ? parsePlain(new URL(text)) : parseSentinel(match);
  } catch {
    throw new OfferlineError('config', `REDIS_URL is not a valid Redis address. Expected: ${EXPECTED}.`);
  }
}

function parsePlain(url: URL): { options: RedisConnection; where: string } {
  const access = credentials(url);
  if (url.protocol === 'unix:') {
    const path = decodeURIComponent(url.pathname);
    const db = databaseNumber(url.searchParams.get('db') ?? '0');
    return { options: { ...access, path, db }, where: `Redis at ${path}` };
  }
  const secure = url.protocol === 'rediss:' || url.protocol === 'valkeys:';
  if ((!secure && url.protocol !== 'redis:' && url.protocol !== 'valkey:') || url.hostname === '')
    throw new TypeError();
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port || 6379);
  const db = databaseNumber(url.pathname.slice(1) || '0');
  return {
    options: { ...access, host, port, db, ...(secure ? { tls: {} } : {}) },
    where: `Redis at ${url.hostname}:${port}${db === 0 ? '' : `/${db}`}`,
  };
}

function parseSentinel(match: Record<string, string | undefined>): { options: RedisConnection; where: string } {
  const access = credentials(new URL(`redis://${match['user'] ?? ''}host`));
  const hosts = (match['hosts'] ?? '').split(',').map((host) => new URL(`redis://${host}`));
  const sentinels = hosts.map((url) => ({ host: url.hostname, port: Number(url.port || 26_379) }));
  const name = decodeURIComponent(match['name'] ?? '');
  const db = databaseNumber(match['database'] ?? '0');
  return {
    options: { ...access, sentinels, name, db },
    where: `Redis ${name} behind the sentinels at ${match['hosts']}`,
  };
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
