import type { Transaction } from 'kysely';
import { systemClock, type Clock } from '../clock.ts';
import { OfferlineError } from '../errors.ts';
import { databaseNow, type Ledger } from './ledger.ts';
import type { Database } from './schema/schema.ts';

/**
 * The right to work on one thing (`login-main`, `feed-north`, `prune`) until it ends. A lease is a fence only together
 * with its epoch: every change made under it compares the epoch in the same transaction. No wall clock has a say in it
 * (docs/decisions/018-clocks-and-leases.md): the owner counts by its monotonic clock, and so does a process that waits for its end.
 */
export type Lease = {
  name: string;
  epoch: number;
  /** False once the lease may have ended, by this process's monotonic clock: it goes on counting while the process is stopped. */
  alive: () => boolean;
  /** Prolongs the lease; false (and dead for good) when it has ended or someone else holds it. */
  renew: () => Promise<boolean>;
  /** Gives the lease up, so that no process has to wait for its end. */
  release: () => Promise<void>;
};

/** The part of a clock that leases are measured by. */
type LeaseClock = Pick<Clock, 'monotonic' | 'id'>;

/** A lease that someone else holds, and since when (monotonic milliseconds) it has been seen like this. */
type Sighting = { epoch: number; renewals: number; duration: number; since: number };

/** What each process has seen of leases that it waits for. */
const sightings = new WeakMap<Ledger, Map<string, Sighting>>();

/**
 * Takes the lease, or says for how many milliseconds at most it is still held. Nobody takes over before a lease has ended: it was
 * given up, its end is past by the very clock that its owner counts by, or it was watched from here, unchanged, for its whole length.
 */
export async function acquireLease(
  ledger: Ledger,
  name: string,
  owner: string,
  duration: number,
  clock: LeaseClock = systemClock,
): Promise<{ lease: Lease } | { heldFor: number }> {
  const seen = sightingsOf(ledger);
  const asked = clock.monotonic();
  const sighting = seen.get(name);
  const watched = sighting !== undefined && asked - sighting.since >= sighting.duration ? [sighting] : [];
  const end = endOf(ledger, clock, asked, duration);
  const taken = await ledger.db
    .insertInto('leases')
    .values({ name, owner, epoch: 1, renewals: 0, ...end })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ owner, epoch: eb('leases.epoch', '+', 1), renewals: 0, ...end }))
        .where((eb) =>
          eb.or([
            eb('leases.until', '=', 0),
            eb.and([eb('leases.clock', '=', clock.id), eb('leases.ends', '<=', Math.floor(asked))]),
            ...watched.map(({ epoch, renewals }) =>
              eb.and([eb('leases.epoch', '=', epoch), eb('leases.renewals', '=', renewals)]),
            ),
          ]),
        ),
    )
    .returning('epoch')
    .executeTakeFirst();
  if (taken === undefined) return { heldFor: await watchOn(ledger, name, duration, clock) };
  seen.delete(name);
  return { lease: leaseOf(ledger, name, taken.epoch, duration, { asked, clock }) };
}

function sightingsOf(ledger: Ledger): Map<string, Sighting> {
  const seen = sightings.get(ledger) ?? new Map<string, Sighting>();
  sightings.set(ledger, seen);
  return seen;
}

/** What was seen last of a lease that someone else holds: another one once they have prolonged it or it has changed hands. */
export function lastSighting(ledger: Ledger, name: string): object | undefined {
  return sightingsOf(ledger).get(name);
}

/** True while somebody is at work, by the database's clock: good enough to tell people, never to take a lease over. */
export async function isAnyLeaseHeld({ db, engine }: Ledger): Promise<boolean> {
  const held = await db
    .selectFrom('leases')
    .select('name')
    .where('until', '>', databaseNow(engine))
    .limit(1)
    .executeTakeFirst();
  return held !== undefined;
}

/** The columns that say when a lease ends which was asked for at a time of the monotonic clock. */
function endOf({ engine }: Ledger, clock: LeaseClock, asked: number, duration: number) {
  const ends = Math.ceil(asked + duration);
  return { clock: clock.id, ends, duration, until: databaseNow(engine, duration) };
}

/** Notes what is seen of a lease that someone else holds, and says for how many milliseconds at most it lasts. */
async function watchOn(ledger: Ledger, name: string, own: number, clock: LeaseClock): Promise<number> {
  const row = await ledger.db.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst();
  if (row === undefined) return 0;
  const now = clock.monotonic();
  const { epoch, renewals } = row;
  const seen = sightingsOf(ledger);
  const before = seen.get(name);
  const same = before?.epoch === epoch && before.renewals === renewals;
  const duration = Math.max(row.duration, own);
  const sighting = same ? before : { epoch, renewals, duration, since: now };
  seen.set(name, sighting);
  const left = sighting.since + sighting.duration - now;
  return Math.max(0, row.clock === clock.id ? Math.min(left, row.ends - now) : left);
}

type Taken = { asked: number; clock: LeaseClock };

function leaseOf(ledger: Ledger, name: string, epoch: number, duration: number, { asked, clock }: Taken): Lease {
  let end = asked + duration;
  /** Given up, ended or lost: an answer to an earlier renewal that comes late must not bring it back to life. */
  let over = false;
  return {
    name,
    epoch,
    alive: () => clock.monotonic() < end,
    renew: async () => {
      const again = clock.monotonic();
      over ||= again >= end;
      if (over) return false;
      const renewed = await ledger.db
        .updateTable('leases')
        .set((eb) => ({ renewals: eb('renewals', '+', 1), ...endOf(ledger, clock, again, duration) }))
        .where('name', '=', name)
        .where('epoch', '=', epoch)
        .where('until', '>', 0)
        .executeTakeFirst();
      over ||= renewed.numUpdatedRows !== 1n;
      end = over ? 0 : Math.max(end, again + duration);
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
export function withFencedTransaction<T>(
  ledger: Ledger,
  lease: Lease,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return ledger.transaction(async (trx) => {
    await fence(trx, lease);
    return work(trx);
  });
}

/** Fails with `lease-lost` unless the lease still stands; it then does until the transaction has ended. */
export async function fence(trx: Transaction<Database>, lease: Lease): Promise<void> {
  const locked = await trx
    .updateTable('leases')
    .set((eb) => ({ until: eb.ref('until') }))
    .where('name', '=', lease.name)
    .where('epoch', '=', lease.epoch)
    .where('until', '>', 0)
    .executeTakeFirst();
  if (locked.numUpdatedRows === 1n && lease.alive()) return;
  throw new OfferlineError('lease-lost', `The lease on ${lease.name} was lost; another worker goes on with it.`, {
    retryable: true,
  });
}
