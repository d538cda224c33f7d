import { OfferlineError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { PREFIX } from './queues.ts';
import type { RedisServer } from '../redis/open.ts';

/** Where Redis holds the id of the ledger whose queue it is. */
const KEY = `${PREFIX}:ledger`;

/**
 * Writes the ledger's id into Redis, or checks it: two ledgers behind one queue would let a login have two unfinished
 * uploads. Fails with `conflict` when another ledger owns the queue.
 */
export async function bindLedger(redis: RedisServer, ledger: Ledger): Promise<void> {
  const owner = await redis.use(async (client) => {
    await client.set(KEY, ledger.id, 'NX');
    return client.get(KEY);
  });
  if (owner !== ledger.id) throw ofAnother(redis, owner, ledger);
}

/**
 * Checks before a job is added that the queue is this ledger's, or nobody's as after a wipe: the workers of another installation would
 * look for the job's run in vain. Fails with `conflict`.
 */
export async function assertBound(redis: RedisServer, ledger: Ledger): Promise<void> {
  const owner = await redis.use((client) => client.get(KEY));
  if (owner !== null && owner !== ledger.id) throw ofAnother(redis, owner, ledger);
}

function ofAnother(redis: RedisServer, owner: string | null, ledger: Ledger): OfferlineError {
  return new OfferlineError(
    'conflict',
    `${redis.describe} serves another ledger (${String(owner)}, this one is ${ledger.id}). Give each installation its own Redis database, or point DATABASE_URL and OFFERLINE_HOME at the same ledger.`,
  );
}
