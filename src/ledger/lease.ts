import type { Transaction } from 'kysely';
import { OfferlineError } from '../errors.ts';
import { databaseNow, type Ledger } from './ledger.ts';
import type { Database } from './schema.ts';

/**
 * The right to work on one thing (`login:main`, `feed:north`, `run:…`) until it ends. A lease is a fence only together
 * with its epoch: every change made under it compares the epoch in the same transaction.
 */
export type Lease = {
  name: string;
  epoch: number;
  /** False once the lease may have ended, by this process's monotonic clock: it goes on counting while the process is stopped. */
  alive: () => boolean;
  /** Prolongs the lease; false (and dead for good) when someone else holds it. */
  renew: () => Promise<boolean>;
  /** Gives the lease up, so that nobody has to wait for its end. */
  release: () => Promise<void>;
};

/** Takes the lease, or says until when someone else holds it. Nobody takes over before a lease has ended. */
export async function acquireLease(
  ledger: Ledger,
  name: string,
  owner: string,
  duration: number,
): Promise<{ lease: Lease } | { heldUntil: number }> {
  const now = databaseNow(ledger.engine);
  const asked = performance.now();
  const taken = await ledger.db
    .insertInto('leases')
    .values((eb) => ({ name, owner, epoch: 1, until: eb(now, '+', duration) }))
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ owner, epoch: eb('leases.epoch', '+', 1), until: eb(now, '+', duration) }))
        .where((eb) => eb('leases.until', '<=', now)),
    )
    .returning('epoch')
    .executeTakeFirst();
  if (taken === undefined) {
    const row = await ledger.db.selectFrom('leases').select('until').where('name', '=', name).executeTakeFirst();
    return { heldUntil: row?.until ?? 0 };
  }
  return { lease: leaseOf(ledger, name, taken.epoch, duration, asked + duration) };
}

function leaseOf(ledger: Ledger, name: string, epoch: number, duration: number, firstEnd: number): Lease {
  const now = databaseNow(ledger.engine);
  let end = firstEnd;
  /** Given up or lost: an answer to an earlier renewal that comes late must not bring it back to life. */
  let over = false;
  return {
    name,
    epoch,
    alive: () => performance.now() < end,
    renew: async () => {
      const asked = performance.now();
      const renewed = await ledger.db
        .updateTable('leases')
        .set((eb) => ({ until: eb(now, '+', duration) }))
        .where('name', '=', name)
        .where('epoch', '=', epoch)
        .where((eb) => eb('until', '>', now))
        .executeTakeFirst();
      const mine = renewed.numUpdatedRows === 1n;
      over ||= !mine;
      end = over ? 0 : Math.max(end, asked + duration);
      return !over;
    },
    release: async () => {
      over = true;
      end = 0;
      await ledger.db
        .updateTable('leases')
        .set({ until: 0 })
        .where('name', '=', name)
        .where('epoch', '=', epoch)
        .execute();
    },
  };
}

/** Runs `work` in a transaction that fails with `lease-lost` unless the lease still stands. */
export function underLease<T>(
  ledger: Ledger,
  lease: Lease,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return ledger.transaction(async (trx) => {
    const locked = await trx
      .updateTable('leases')
      .set((eb) => ({ until: eb.ref('until') }))
      .where('name', '=', lease.name)
      .where('epoch', '=', lease.epoch)
      .where((eb) => eb('until', '>', databaseNow(ledger.engine)))
      .executeTakeFirst();
    if (locked.numUpdatedRows !== 1n || !lease.alive()) {
      throw new OfferlineError('lease-lost', `The lease on ${lease.name} was lost; another worker goes on with it.`, {
        retryable: true,
      });
    }
    return work(trx);
  });
}
