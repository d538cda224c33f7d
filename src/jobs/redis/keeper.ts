import { messageOf, OfferlineError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { connectRedis } from './connect.ts';
import { assertFit, type Fit } from './fitness.ts';
import type { RedisClient, RedisConnection } from './redis-server.ts';

/** Milliseconds: how long a connection may take, and a command may wait for its answer. */
const CONNECT_LIMIT_MS = 5000;
const COMMAND_LIMIT_MS = 5000;
/** Attempts to reconnect, about three seconds of them, before commands that wait for it fail. */
const RECONNECTIONS = 10;
/** A connection that waits for so long for an answer is given up: its server may be cut off, and another be the primary now. */
const SILENT_MS = 10_000;
/** Milliseconds that a few commands may take together: a cluster that is away keeps them without limit. */
const USE_LIMIT_MS = 20_000;

/** This process's own connection to its Redis: shows that it uses it, notices when it goes away and comes back. */
export type Keeper = Fit & {
  /** Runs commands; a Redis that does not answer within some seconds is a retryable `redis` error. */
  use: <T>(work: (client: RedisClient) => Promise<T>) => Promise<T>;
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
  const client = connectRedis(options, {
    connectionName: name,
    lazyConnect: true,
    connectTimeout: CONNECT_LIMIT_MS,
    disconnectTimeout: 100,
    commandTimeout: COMMAND_LIMIT_MS,
    socketTimeout: SILENT_MS,
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
      return await inTime(work(client));
    } catch (error) {
      throw unreachable(where, error, state.away ? state.reason : '');
    }
  };
  try {
    await use(() => client.connect());
    await use(() => chooseDatabase(client, options));
    const fit = await use(() => assertFit(client, where));
    state.open = true;
    return { ...fit, use, close: () => client.disconnect() };
  } catch (error) {
    client.disconnect();
    throw error;
  }
}

/** The client says nothing where the server has no database of the number that is asked for, and goes on with the first one. */
async function chooseDatabase(client: RedisClient, { cluster, db = 0 }: RedisConnection): Promise<void> {
  if (cluster === undefined && db !== 0) await client.select(db);
}

/** Gives up on what does not end; the work itself is left to end when it can. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer for ${USE_LIMIT_MS / 1000} s`)), USE_LIMIT_MS);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The cause is left out on purpose: an error of the client can carry the command, and the command the password. */
function unreachable(where: string, error: unknown, reason: string): unknown {
  if (error instanceof OfferlineError) return error;
  const said = reason === '' ? saidBy(error) : reason;
  if (/^(WRONGPASS|NOAUTH|ERR invalid password|ERR AUTH)/.test(said)) {
    return new OfferlineError('redis', `${where} rejects the user or password in REDIS_URL: ${said}`);
  }
  if (/^ERR (?:invalid DB index|DB index)/.test(said)) {
    return new OfferlineError(
      'redis',
      `${where} has no database of this number: ${said}. Name one that it has in REDIS_URL.`,
    );
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
  if (error instanceof Error && 'lastNodeError' in error) return ofNode(saidBy(error.lastNodeError));
  return error instanceof Error && error.name === 'ReplyError' ? foreignText(error.message) : messageOf(error);
}

/** Of nodes that no connection leads to, ioredis keeps no reason. */
function ofNode(said: string): string {
  return said.startsWith('Connection is closed') ? 'none of its nodes accepts a connection' : said;
}
