import { Redis } from 'ioredis';
import { startRedisProgram, type TestRedis } from '../../support/redis.ts';
import { startPostgres, startStandby, type Postgres } from '../../support/servers/postgres.ts';
import { swallowingProxy, type SwallowingProxy } from '../../support/swallowing-proxy.ts';
import { until } from '../../support/until.ts';

/** A Postgres and a Redis that take changes, and one of each that follows it and takes its place when it is gone. */
export type Pairs = {
  postgres: Postgres;
  redis: TestRedis;
  standby: Postgres;
  replica: TestRedis;
  /** The one address under which the Postgres that takes changes is reached; the Redis has one, too. */
  lines: Record<'postgres' | 'redis', SwallowingProxy>;
};

/** Starts both pairs. */
export async function startPairs(): Promise<Pairs> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedisProgram()]);
  const [standby, replica] = await Promise.all([startStandby(postgres), startReplica(redis)]);
  const lines = { postgres: await swallowingProxy(postgres.url), redis: await swallowingProxy(redis.url) };
  return { postgres, redis, standby, replica, lines };
}

/** The standby takes the place of the Postgres, which is gone, and gets a standby of its own. What was committed, it has. */
export async function promotePostgres(pairs: Pairs): Promise<void> {
  await pairs.standby.run('select pg_promote()');
  pairs.postgres = pairs.standby;
  pairs.lines.postgres.leadTo(pairs.postgres.url);
  pairs.standby = await startStandby(pairs.postgres);
}

/** The replica takes the place of the Redis, which is gone, and gets a replica of its own. What was written last may be missing. */
export async function promoteRedis(pairs: Pairs): Promise<void> {
  const client = new Redis(pairs.replica.url);
  try {
    await client.replicaof('NO', 'ONE');
  } finally {
    client.disconnect();
  }
  pairs.redis = pairs.replica;
  pairs.lines.redis.leadTo(pairs.redis.url);
  pairs.replica = await startReplica(pairs.redis);
}

/** It is told whom to follow when it runs: one that was promoted and is started again follows nobody. */
async function startReplica({ port }: TestRedis): Promise<TestRedis> {
  const replica = await startRedisProgram();
  const client = new Redis(replica.url);
  try {
    await client.replicaof('127.0.0.1', port);
    await until(async () => (/master_link_status:up/u.test(await client.info('replication')) ? true : undefined));
  } finally {
    client.disconnect();
  }
  return replica;
}
