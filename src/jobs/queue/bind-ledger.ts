import { OfferlineError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { successorOf } from '../../ledger/maintenance/restored.ts';
import type { RedisServer } from '../redis/open.ts';

/** Where Redis holds the id of the ledger whose queue it is, among the keys of the installation. */
function keyOf({ prefix }: RedisServer): string {
  return `{${prefix}:ledger}`;
}

/**
 * Writes the ledger's id into Redis, or checks it: two ledgers behind one queue would let a login have two unfinished
 * uploads. Fails with `conflict` when another ledger owns the queue.
 */
export async function bindLedger(redis: RedisServer, ledger: Ledger): Promise<void> {
  const owner = await redis.use(async (client) => {
    await client.set(keyOf(redis), ledger.id, 'NX');
    const found = await client.get(keyOf(redis));
    const restored = found === null || found === ledger.id ? null : await successorOf(ledger.db);
    // It goes on in place of the one that it was restored from, which then finds its queue taken.
    if (found === null || restored?.originals.includes(found) !== true) return found;
    await client.set(keyOf(redis), ledger.id);
    return ledger.id;
  });
  if (owner !== ledger.id) throw ofAnother(redis, owner, ledger);
}

/**
 * Checks before a job is added that the queue is this ledger's, or nobody's as after a wipe: the workers of another installation would
 * look for the job's run in vain. Fails with `conflict`.
 */
export async function assertBound(redis: RedisServer, ledger: Ledger): Promise<void> {
  const owner = await redis.use((client) => client.get(keyOf(redis)));
  if (owner !== null && owner !== ledger.id) throw ofAnother(redis, owner, ledger);
}

function ofAnother(redis: RedisServer, owner: string | null, ledger: Ledger): OfferlineError {
  return new OfferlineError(
    'conflict',
    `${redis.describe} serves another ledger (${String(owner)}, this one is ${ledger.id}). Give each installation a REDIS_PREFIX or a Redis of its own, or point DATABASE_URL and OFFERLINE_HOME at the same ledger.`,
  );
}
