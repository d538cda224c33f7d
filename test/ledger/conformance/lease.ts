import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { acquireLease, withFencedTransaction, type Lease } from '../../../src/ledger/lease.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { endLease, openAt, openTwice, type Engine } from './engine.ts';

const LONG = 60_000;
const NAME = 'login-main';

async function take(ledger: Ledger, duration = LONG): Promise<Lease> {
  const taken = await acquireLease(ledger, NAME, 'tests', duration);
  if ('heldFor' in taken) throw new Error('the lease is held');
  return taken.lease;
}

const note = (ledger: Ledger, lease: Lease, key: string) =>
  withFencedTransaction(ledger, lease, (trx) => trx.insertInto('meta').values({ key, value: '' }).execute());

/** A monotonic clock that stands until the test moves it. */
function testedClock(id = 'this machine', ms = 5_000_000) {
  const clock = { id, ms, monotonic: () => clock.ms };
  return clock;
}

/** What every ledger promises about leases. */
export function leaseConformance(engine: Engine): void {
  const { name, place } = engine;

  test(`${name}: nobody takes a lease over before its end, which is told`, async () => {
    const [one, two] = await openTwice(engine);
    const owner = testedClock();
    const taken = await acquireLease(one, NAME, 'tests', LONG, owner);
    expect(taken).toHaveProperty('lease');
    owner.ms += LONG - 1;
    expect(await acquireLease(two, NAME, 'another', LONG, owner)).toEqual({ heldFor: 1 });
    owner.ms += 1;
    expect(await acquireLease(two, NAME, 'another', LONG, owner)).toHaveProperty('lease');
    expect(await acquireLease(two, 'login-other', 'another', LONG)).toHaveProperty('lease');
  });

  test(`${name}: not even its own owner takes it twice`, async () => {
    const ledger = await openAt(await place());
    await take(ledger);
    expect(await acquireLease(ledger, NAME, 'tests', LONG)).toHaveProperty('heldFor');
  });

  test(`${name}: a lease that was given up is free at once, under a higher epoch`, async () => {
    const [one, two] = await openTwice(engine);
    const first = await take(one);
    await first.release();
    expect(first.alive()).toBe(false);
    expect((await take(two)).epoch).toBe(first.epoch + 1);
  });

  test(`${name}: an owner whose lease has ended cannot write, renew or give up what another holds`, async () => {
    const [one, two] = await openTwice(engine);
    const old = await take(one);
    await endLease(two, NAME);
    const fresh = await take(two);
    expect(old.alive()).toBe(true);
    await expect(note(one, old, 'late')).rejects.toMatchObject({ code: 'lease-lost', retryable: true });
    expect(await old.renew()).toBe(false);
    expect(old.alive()).toBe(false);
    await old.release();
    await note(two, fresh, 'good');
    const keys = await one.db.selectFrom('meta').select('key').where('key', 'in', ['late', 'good']).execute();
    expect(keys).toEqual([{ key: 'good' }]);
  });

  test(`${name}: a lease that has ended is over, also when nobody took it`, async () => {
    const ledger = await openAt(await place());
    const lease = await take(ledger);
    await endLease(ledger, NAME);
    await expect(note(ledger, lease, 'late')).rejects.toMatchObject({ code: 'lease-lost' });
    expect(await lease.renew()).toBe(false);
  });

  test(`${name}: what the database's clock says of a lease that is held ends nothing and prolongs nothing`, async () => {
    const [one, two] = await openTwice(engine);
    const clock = testedClock();
    const taken = await acquireLease(one, NAME, 'tests', LONG, clock);
    if ('heldFor' in taken) throw new Error('the lease is held');
    // As after a clock that was set forward: by the wall it has ended long ago.
    await two.db.updateTable('leases').set({ until: 1 }).execute();
    expect(await acquireLease(two, NAME, 'another', LONG, clock)).toEqual({ heldFor: LONG });
    await note(one, taken.lease, 'good');
    expect(await taken.lease.renew()).toBe(true);
    // As after one that was set back: by the wall it ends in a year.
    await two.db
      .updateTable('leases')
      .set({ until: (await two.now()) + 365 * 86_400_000 })
      .execute();
    clock.ms += LONG;
    expect(taken.lease.alive()).toBe(false);
    expect(await acquireLease(two, NAME, 'another', LONG, clock)).toHaveProperty('lease');
  });

  test(`${name}: another machine takes it over when it has watched it, unchanged, for its whole length`, async () => {
    const [one, two] = await openTwice(engine);
    const [owner, other] = [testedClock(), testedClock('another machine', 17)];
    const taken = await acquireLease(one, NAME, 'tests', LONG, owner);
    if ('heldFor' in taken) throw new Error('the lease is held');
    const ask = () => acquireLease(two, NAME, 'another', 1000, other);
    expect(await ask()).toEqual({ heldFor: LONG });
    other.ms += LONG - 1;
    expect(await ask()).toEqual({ heldFor: 1 });
    owner.ms += LONG - 1;
    expect(await taken.lease.renew()).toBe(true);
    other.ms += 1;
    expect(await ask()).toEqual({ heldFor: LONG });
    other.ms += LONG;
    const over = await ask();
    expect('lease' in over && over.lease.epoch).toBe(taken.lease.epoch + 1);
    expect(await taken.lease.renew()).toBe(false);
  });

  test(`${name}: another machine's watch begins anew when the lease has changed hands meanwhile`, async () => {
    const [one, two] = await openTwice(engine);
    const [owner, other] = [testedClock(), testedClock('another machine', 17)];
    const first = await acquireLease(one, NAME, 'tests', LONG, owner);
    if ('heldFor' in first) throw new Error('the lease is held');
    const ask = () => acquireLease(two, NAME, 'another', LONG, other);
    expect(await ask()).toEqual({ heldFor: LONG });
    await first.lease.release();
    expect(await acquireLease(one, NAME, 'third', LONG, owner)).toHaveProperty('lease');
    other.ms += LONG;
    expect(await ask()).toEqual({ heldFor: LONG });
  });

  test(`${name}: a lease that its own clock calls ended is not renewed, though nobody took it`, async () => {
    const ledger = await openAt(await place());
    const clock = testedClock();
    const taken = await acquireLease(ledger, NAME, 'tests', LONG, clock);
    if ('heldFor' in taken) throw new Error('the lease is held');
    clock.ms += LONG;
    expect(await taken.lease.renew()).toBe(false);
    await expect(note(ledger, taken.lease, 'late')).rejects.toMatchObject({ code: 'lease-lost' });
  });

  test(`${name}: renewing prolongs it`, async () => {
    const ledger = await openAt(await place());
    const lease = await take(ledger);
    const soon = (await ledger.now()) + 5000;
    await ledger.db.updateTable('leases').set({ until: soon }).execute();
    expect(await lease.renew()).toBe(true);
    const { until } = await ledger.db.selectFrom('leases').select('until').executeTakeFirstOrThrow();
    expect(until).toBeGreaterThan(soon);
    expect(lease.alive()).toBe(true);
  });

  test(`${name}: a renewal that is answered late does not bring back what was given up`, async () => {
    const ledger = await openAt(await place());
    const lease = await take(ledger);
    const renewal = lease.renew();
    await lease.release();
    await renewal;
    expect(lease.alive()).toBe(false);
    expect(await lease.renew()).toBe(false);
    await expect(note(ledger, lease, 'late')).rejects.toMatchObject({ code: 'lease-lost' });
  });

  test(`${name}: of many who ask at once one gets it, the first time and after each end`, async () => {
    const [one, two] = await openTwice(engine);
    const epochs: number[] = [];
    for (let round = 0; round < 3; round++) {
      const asked = Array.from({ length: 16 }, (_, n) => acquireLease(n % 2 === 0 ? one : two, NAME, `w${n}`, LONG));
      const taken = (await Promise.all(asked)).flatMap((answer) => ('lease' in answer ? [answer.lease] : []));
      epochs.push(...taken.map((lease) => lease.epoch));
      await endLease(one, NAME);
    }
    expect(epochs).toEqual([1, 2, 3]);
  });

  test(`${name}: nobody takes over while a transaction under the lease is open`, async () => {
    const [one, two] = await openTwice(engine);
    const lease = await take(one);
    const order: string[] = [];
    const inside = Promise.withResolvers<void>();
    const work = withFencedTransaction(one, lease, async (trx) => {
      await trx.insertInto('meta').values({ key: 'work', value: '' }).execute();
      inside.resolve();
      for (let turn = 0; turn < 20; turn++) await nextTurn();
      order.push('work');
    });
    await inside.promise;
    await endLease(two, NAME);
    await take(two);
    order.push('taken');
    await work;
    expect(order).toEqual(['work', 'taken']);
  });

  test(`${name}: what fails under a lease is taken back, and the lease stands`, async () => {
    const ledger = await openAt(await place());
    const lease = await take(ledger);
    const failing = withFencedTransaction(ledger, lease, async (trx) => {
      await trx.insertInto('meta').values({ key: 'half', value: '' }).execute();
      throw new Error('a fault of ours');
    });
    await expect(failing).rejects.toThrow('a fault of ours');
    await note(ledger, lease, 'good');
    const keys = await ledger.db.selectFrom('meta').select('key').where('key', 'in', ['half', 'good']).execute();
    expect(keys).toEqual([{ key: 'good' }]);
  });
}
