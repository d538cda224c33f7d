import { Redis } from 'ioredis';
import { messageOf, OfferlineError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { assertFit } from './fitness.ts';
import type { RedisConnection } from './redis-server.ts';

/** Milliseconds: how long a connection may take, and a command may wait for its answer. */
const CONNECT_LIMIT_MS = 5000;
const COMMAND_LIMIT_MS = 5000;
/** Attempts to reconnect, about three seconds of them, before commands that wait for it fail. */
const RECONNECTIONS = 10;

/** This process's own connection to its Redis: shows that it uses it, notices when it goes away and comes back. */
export type Keeper = {
  /** The server's name and version. */
  version: string;
  client: Redis;
  /** Runs commands; a Redis that does not answer within some seconds is a retryable `redis` error. */
  use: <T>(work: (client: Redis) => Promise<T>) => Promise<T>;
  close: () => void;
};

/**
 * Connects and checks that the Redis fits. Fails with a `redis` error that names `where` and what to do, never a
 * credential; later outages are logged once each and left to reconnection. `onLost` hears of every attempt to reconnect.
 */
export async function openKeeper(
  options: RedisConnection,
  about: { where: string; name: string; log: Log; onLost?: () => void },
): Promise<Keeper> {
  const { where, name, log } = about;
  const state = { open: false, away: false, reason: '' };
  const retryStrategy = (times: number) => (state.open ? Math.min(times * 50, 1000) : null);
  const client = new Redis({
    ...options,
    connectionName: name,
    lazyConnect: true,
    connectTimeout: CONNECT_LIMIT_MS,
    disconnectTimeout: 100,
    commandTimeout: COMMAND_LIMIT_MS,
    maxRetriesPerRequest: RECONNECTIONS,
    retryStrategy,
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: COMMAND_LIMIT_MS,
  });
  client.on('error', (error: Error) => {
    state.reason = saidBy(error);
    if (state.open && !state.away)
      log.warn({ redis: where, reason: state.reason }, 'redis does not answer, trying again');
    state.away = true;
  });
  client.on('ready', () => {
    if (state.open && state.away) log.info({ redis: where }, 'redis answers again');
    state.away = false;
  });
  client.on('reconnecting', () => about.onLost?.());
  const use: Keeper['use'] = async (work) => {
    try {
      return await work(client);
    } catch (error) {
      throw unreachable(where, error, state.away ? state.reason : '');
    }
  };
  try {
    await use(() => client.connect());
    const version = await use(() => assertFit(client, where));
    state.open = true;
    return { version, client, use, close: () => client.disconnect() };
  } catch (error) {
    client.disconnect();
    throw error;
  }
}

/** The cause is left out on purpose: an error of the client can carry the command, and the command the password. */
function unreachable(where: string, error: unknown, reason: string): unknown {
  if (error instanceof OfferlineError) return error;
  const said = reason === '' ? saidBy(error) : reason;
  if (/^(WRONGPASS|NOAUTH|ERR invalid password|ERR AUTH)/.test(said)) {
    return new OfferlineError('redis', `${where} rejects the user or password in REDIS_URL: ${said}`);
  }
  if (said.startsWith('NOPERM')) {
    return new OfferlineError('redis', `${where} denies the user in REDIS_URL what the queue needs: ${said}`);
  }
  return new OfferlineError('redis', `${where} cannot be used: ${said}. Check that it is running and reachable.`, {
    retryable: true,
  });
}

/** A server without users, or a proxy, repeats the password in its refusal. */
function saidBy(error: unknown): string {
  return error instanceof Error && error.name === 'ReplyError' ? foreignText(error.message) : messageOf(error);
}
