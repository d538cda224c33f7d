import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { atEnd, killAtEnd } from './at-end.ts';
import { freePort } from './free-port.ts';
import { redisProgram, startRedisProgram, type TestRedis } from './redis.ts';
import { tempFolder } from './temp-folder.ts';
import { until } from './until.ts';

/** A primary, a replica, and three sentinels that promote the replica when the primary is gone, or when it is asked for. */
export type TestSentinels = {
  url: string;
  primary: TestRedis;
  replica: TestRedis;
  failOver: () => Promise<void>;
  promoted: () => Promise<void>;
};

const NAME = 'queue';

/** Starts them; they end with the test. `password`: of the Redis, and another one of the sentinels. */
export async function startSentinels(passwords?: { redis: string; sentinel: string }): Promise<TestSentinels> {
  const secret = passwords === undefined ? [] : ['--requirepass', passwords.redis, '--masterauth', passwords.redis];
  const primary = await startRedisProgram(secret);
  const replica = await startRedisProgram([...secret, '--replicaof', '127.0.0.1', String(primary.port)]);
  const ports = await Promise.all([0, 1, 2].map(() => startSentinel(primary.port, passwords)));
  const asking = new Redis(replica.port, '127.0.0.1', passwords === undefined ? {} : { password: passwords.redis });
  const sentinels = ports.map(
    (port) => new Redis(port, '127.0.0.1', passwords === undefined ? {} : { password: passwords.sentinel }),
  );
  atEnd(() => [asking, ...sentinels].forEach((client) => client.disconnect()));
  for (const sentinel of sentinels) {
    await until(async () => {
      const facts = (await sentinel.call('SENTINEL', 'MASTER', NAME)) as Record<string, string> | string[];
      const of = (name: string) => (Array.isArray(facts) ? facts[facts.indexOf(name) + 1] : facts[name]);
      return of('num-slaves') === '1' && of('num-other-sentinels') === '2' ? true : undefined;
    });
  }
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const access = passwords === undefined ? '' : `:${encodeURIComponent(passwords.redis)}@`;
  const query = passwords === undefined ? '' : `?sentinelPassword=${encodeURIComponent(passwords.sentinel)}`;
  return {
    url: `redis+sentinel://${access}${hosts}/${NAME}${query}`,
    primary,
    replica,
    failOver: async () => void (await sentinels[0]?.call('SENTINEL', 'FAILOVER', NAME)),
    promoted: async () => void (await until(async () => (/role:master/.test(await asking.info()) ? true : undefined))),
  };
}

async function startSentinel(primary: number, passwords?: { redis: string; sentinel: string }): Promise<number> {
  if (redisProgram === undefined)
    throw new Error('These tests need redis-server or valkey-server: install one of them.');
  const port = await freePort();
  const folder = tempFolder();
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${primary} 2`,
    `sentinel down-after-milliseconds ${NAME} 500`,
    `sentinel failover-timeout ${NAME} 3000`,
    ...(passwords === undefined
      ? []
      : [
          `requirepass ${passwords.sentinel}`,
          `sentinel sentinel-pass ${passwords.sentinel}`,
          `sentinel auth-pass ${NAME} ${passwords.redis}`,
        ]),
  ];
  const file = join(folder, 'sentinel.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  // The program of the sentinel is that of the server.
  const child = spawn(redisProgram, [file, '--sentinel'], { stdio: 'ignore' });
  killAtEnd(child);
  const client = new Redis(port, '127.0.0.1', {
    lazyConnect: true,
    retryStrategy: () => null,
    ...(passwords === undefined ? {} : { password: passwords.sentinel }),
  });
  client.on('error', () => undefined);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the sentinel ended with status ${child.exitCode}`);
    return client.connect().then(
      () => true,
      () => undefined,
    );
  });
  client.disconnect();
  return port;
}
