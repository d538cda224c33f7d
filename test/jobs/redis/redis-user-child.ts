import { createInterface } from 'node:readline';
import { openRedis, type RedisServer } from '../../../src/jobs/redis/open.ts';
import { createLog } from '../../../src/log.ts';

/** A process of a home: opens its Redis, then obeys lines: `count` adds one, `server` names it, `close` ends. */
const [home, embedded] = process.argv.slice(2) as [string, 'private' | 'in-process' | undefined];
const log = await createLog({ level: 'warn', pretty: false });
const redis = await openRedis({
  prefix: 'offerline',
  redisUrl: undefined,
  home,
  log,
  ...(embedded === undefined ? {} : { embedded }),
});
const say = (text: unknown) => process.stdout.write(`${String(text)}\n`);
say(redis.kind);
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'count') say(await redis.use((client) => client.incr('count')));
  if (line === 'server') say(await serverId(redis));
  if (line === 'close') break;
}
await redis.close();
say('closed');
process.stdin.destroy();

async function serverId({ use }: RedisServer): Promise<string | undefined> {
  return /process_id:(\d+)/.exec(await use((client) => client.info('server')))?.[1];
}
