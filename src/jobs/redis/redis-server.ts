import type { Redis } from 'ioredis';

/** How to connect, as ioredis and BullMQ both take it. */
export type RedisConnection = {
  host?: string;
  port?: number;
  /** A Unix socket or named pipe. */
  path?: string;
  sentinels?: { host: string; port: number }[];
  /** The name under which the sentinels know the Redis. */
  name?: string;
  db?: number;
  username?: string;
  password?: string;
  tls?: Record<string, never>;
  connectionName?: string;
  /** How long a closing connection may linger; ioredis waits that long even for one that has closed already. */
  disconnectTimeout?: number;
  /** Null: commands wait without limit while the Redis is away, as BullMQ's workers need it. */
  maxRetriesPerRequest?: null;
};

/** The Redis behind the queue. */
export type RedisServer = {
  /** `private`: a server program of this home; `in-process`: in the memory of one of its processes. */
  kind: 'url' | 'private' | 'in-process';
  connection: RedisConnection;
  /** One line for people; without secrets. */
  describe: string;
  /** What the user should know about this kind, or null. */
  notice: string | null;
  /** Runs a few commands; fails with a retryable `redis` error when no answer comes within some seconds. */
  use: <T>(work: (client: Redis) => Promise<T>) => Promise<T>;
  /** Lets go of it. The last process that uses a private server ends it. Close queues and workers before. */
  close: () => Promise<void>;
};
