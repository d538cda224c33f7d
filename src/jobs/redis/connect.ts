import { Cluster, Redis } from 'ioredis';
import type { RedisClient, RedisConnection } from './redis-server.ts';

/**
 * How long a connection may be silent that waits for an answer: a server that is stopped or cut off closes nothing, and its successor is
 * only looked for on a new connection. BullMQ's longest wait for a job is 10 s.
 */
const SILENT_MS = 30_000;
/** Large clusters take longer than the second that ioredis gives them to say which node has what. */
const SLOTS_LIMIT_MS = 5000;

/** What every connection does: it looks for the new primary when the one that it has was made a replica. */
export const FOLLOWING = {
  socketTimeout: SILENT_MS,
  // 2: the command that was refused is sent again afterwards.
  reconnectOnError: ({ message }: Error): 2 | false => (message.startsWith('READONLY') ? 2 : false),
};

/** How a connection behaves, as ioredis takes it. */
type Behaviour = {
  connectionName?: string;
  lazyConnect?: boolean;
  connectTimeout?: number;
  disconnectTimeout?: number;
  commandTimeout?: number;
  socketTimeout?: number;
  maxRetriesPerRequest?: number;
  retryStrategy: (times: number) => number | null;
  sentinelRetryStrategy?: (times: number) => number | null;
  sentinelCommandTimeout?: number;
};

/** Opens a connection, to one Redis or to a cluster. */
export function connectRedis({ cluster, ...options }: RedisConnection, behaviour: Behaviour): RedisClient {
  if (cluster !== undefined) return connectCluster({ ...options, cluster }, behaviour);
  return new Redis({ ...FOLLOWING, ...options, ...behaviour });
}

/** Opens connections to a cluster. */
export function connectCluster(
  { cluster, ...options }: RedisConnection & Required<Pick<RedisConnection, 'cluster'>>,
  { retryStrategy, lazyConnect = false, ...behaviour }: Behaviour,
): Cluster {
  // The database is the first, and each node is asked by itself.
  const { db: _first, ...node } = options;
  return new Cluster(cluster, {
    lazyConnect,
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: SLOTS_LIMIT_MS,
    redisOptions: { ...FOLLOWING, ...node, ...behaviour },
    // Names of hosts stay names, so that certificates can be compared with them.
    ...(options.tls === undefined ? {} : { dnsLookup }),
  });
}

function dnsLookup(address: string, callback: (error: null, address: string) => void): void {
  callback(null, address);
}
