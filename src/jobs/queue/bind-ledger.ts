import { OfferlineError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { PREFIX } from './queues.ts';
import type { RedisServer } from '../redis/open.ts';

/**
 * Writes the ledger's id into Redis, or checks it: two ledgers behind one queue would let a login have two unfinished
 * uploads. Fails with `conflict` when another ledger owns the queue.
 */
export async function bindLedger(redis: RedisServer, ledger: Ledger): Promise<void> {
  const key = `${PREFIX}:ledger`;
  const owner = await redis.use(async (client) => {
    await client.set(key, ledger.id, 'NX');
    return client.get(key);
  });
  if (owner === ledger.id) return;
  throw new OfferlineError(
    'conflict',
    `${redis.describe} serves another ledger (${String(owner)}, this one is ${ledger.id}). Give each installation its own Redis database, or point DATABASE_URL and OFFERLINE_HOME at the same ledger.`,
  );
}
