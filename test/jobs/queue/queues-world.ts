import type { Context } from '../../../src/context.ts';
import { openQueues } from '../../../src/jobs/queue/queues.ts';
import { openRedis } from '../../../src/jobs/redis/open.ts';
import { atEnd } from '../../support/at-end.ts';

/** The queues of an installation in a Redis of their own; both end with the test. */
export async function queuesFor({ home, log }: Pick<Context, 'home' | 'log'>) {
  const redis = await openRedis({ prefix: 'offerline', redisUrl: undefined, home, log, embedded: 'in-process' });
  const stop = new AbortController();
  const queues = openQueues(redis, stop.signal);
  atEnd(async () => {
    stop.abort();
    await queues.close();
    await redis.close();
  });
  return { redis, queues };
}
