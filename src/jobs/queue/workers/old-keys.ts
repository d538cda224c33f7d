import { Cluster } from 'ioredis';
import type { Context } from '../../../context.ts';
import { messageOf, OfferlineError } from '../../../errors.ts';
import type { RedisClient, RedisServer } from '../../redis/redis-server.ts';
import { RUNS, PULLS, LANES } from '../queues.ts';

/** Checkouts of 0.1 had their keys here, whatever the installation. */
const OLD_PREFIX = 'offerline';
const OLD_LEDGER = `${OLD_PREFIX}:ledger`;
const BATCH = 1000;

/**
 * Removes the keys that an earlier version left in this Redis, when they are those of this ledger: nobody looks at them any more, and the
 * sweep has woken what they stood for. What cannot be removed stays and does no harm.
 */
export async function forgetOldKeys(redis: RedisServer, { ledger, log }: Context): Promise<void> {
  try {
    const removed = await redis.use(async (client) => {
      // Earlier versions could not use a cluster.
      if (client instanceof Cluster || (await client.get(OLD_LEDGER)) !== ledger.id) return 0;
      const count = await removeQueues(client);
      await client.del(OLD_LEDGER);
      return count + 1;
    });
    if (removed > 0) log.info({ keys: removed }, 'keys of an earlier version were removed from redis');
  } catch (error) {
    if (!(error instanceof OfferlineError)) throw error;
    log.debug({ reason: messageOf(error) }, 'redis was not searched for keys of an earlier version');
  }
}

async function removeQueues(client: RedisClient): Promise<number> {
  let count = 0;
  for (const queue of [RUNS, PULLS, LANES]) {
    let cursor = '0';
    do {
      const [next, keys] = await client.scan(cursor, 'MATCH', `${OLD_PREFIX}:${queue}:*`, 'COUNT', BATCH);
      if (keys.length > 0) await client.del(...keys);
      count += keys.length;
      cursor = next;
    } while (cursor !== '0');
  }
  return count;
}
