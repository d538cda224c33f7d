import type { Cluster, Redis } from 'ioredis';

/** How to connect, as ioredis and BullMQ both take it; `cluster` only by way of `connectCluster`. */
export type RedisConnection = {
  host?: string;
  port?: number;
  /** A Unix socket or named pipe. */
  path?: string;
  sentinels?: { host: string; port: number }[];
  /** The name under which the sentinels know the Redis. */
  name?: string;
  sentinelUsername?: string;
  sentinelPassword?: string;
  enableTLSForSentinelMode?: boolean;
  sentinelTLS?: Certificates;
  /** Nodes of a Redis Cluster; it names the others. */
  cluster?: { host: string; port: number }[];
  db?: number;
  username?: string;
  password?: string;
  tls?: Certificates;
  connectionName?: string;
  /** How long a closing connection may linger; ioredis waits that long even for one that has closed already. */
  disconnectTimeout?: number;
  /** Null: commands wait without limit while the Redis is away, as BullMQ's workers need it. */
  maxRetriesPerRequest?: null;
};

/** What TLS trusts beside what the machine trusts, and with what this side shows who it is: PEM. */
export type Certificates = { ca?: string; cert?: string; key?: string };

/** A connection to one Redis, or connections to the nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/** The Redis behind the queue. */
export type RedisServer = {
  /** `private`: a server program of this home; `in-process`: in the memory of one of its processes. */
  kind: 'url' | 'private' | 'in-process';
  connection: RedisConnection;
  /** With what the keys of this installation begin. */
  prefix: string;
  /** One line for people; without secrets. */
  describe: string;
  /** How it evicts and what it keeps on disk, in words. */
  keeps: string;
  /** What the user should know about this kind, or null. */
  notice: string | null;
  /** Runs a few commands; fails with a retryable `redis` error when no answer comes within some seconds. */
  use: <T>(work: (client: RedisClient) => Promise<T>) => Promise<T>;
  /** Lets go of it. The last process that uses a private server ends it. Close queues and workers before. */
  close: () => Promise<void>;
};
