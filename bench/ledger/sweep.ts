/** Sweeps of a home, with its queue in this process; the first one, which makes the schedules, is not counted. */
import { openContext } from '../../src/app/open-context.ts';
import { loadConfig } from '../../src/config/load.ts';
import { openQueues } from '../../src/jobs/queue/queues.ts';
import { sweep } from '../../src/jobs/queue/sweep.ts';
import { openRedis } from '../../src/jobs/redis/open.ts';
import { createLog } from '../../src/log.ts';

const [file, home = ''] = process.argv.slice(2);
const log = await createLog({ level: 'error', pretty: false });
const { ctx, close } = await openContext(await loadConfig({ file, home, env: {} }), log);
const redis = await openRedis({ prefix: 'offerline', redisUrl: undefined, home, log, embedded: 'in-process' });
const stop = new AbortController();
const queues = openQueues(redis, stop.signal);
const taken = { seconds: [] as number[], cpuSeconds: [] as number[] };
for (let round = 0; round < 6; round += 1) {
  const [started, used] = [performance.now(), process.cpuUsage()];
  await sweep(queues, ctx, { schedules: true, checks: true });
  if (round === 0) continue;
  const { user, system } = process.cpuUsage(used);
  taken.seconds.push((performance.now() - started) / 1000);
  taken.cpuSeconds.push((user + system) / 1e6);
}
console.log(JSON.stringify(taken));
stop.abort();
await queues.close();
await redis.close();
await close();
