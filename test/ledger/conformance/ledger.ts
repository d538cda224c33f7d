import { expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { openAt, openTwice, type Engine } from './engine.ts';

/** What every ledger promises as a whole. */
export function ledgerConformance(engine: Engine): void {
  const { name, place } = engine;

  test(`${name}: every process sees the same ledger, and another ledger has another name`, async () => {
    const [one, two] = await openTwice(engine);
    expect(two.id).toBe(one.id);
    expect((await openAt(await place())).id).not.toBe(one.id);
  });

  test(`${name}: processes that open a new ledger at once make one`, async () => {
    const where = await place();
    const ledgers = await Promise.all([1, 2, 3, 4].map(() => openAt(where)));
    expect(new Set(ledgers.map((ledger) => ledger.id)).size).toBe(1);
  });

  test(`${name}: the clock and the version are the database's`, async () => {
    const ledger = await openAt(await place());
    const first = await ledger.now();
    expect(Number.isSafeInteger(first)).toBe(true);
    expect(await ledger.now()).toBeGreaterThanOrEqual(first);
    expect(await ledger.version()).toMatch(new RegExp(`^${name} \\d+`));
  });

  test(`${name}: times and counts are numbers, texts are kept to the letter`, async () => {
    const { db } = await openAt(await place());
    const length = { renewals: 2, duration: 30_000, clock: null, ends: 5 };
    const row = { name: `Жук "O'Neil" \\ 北京 🚗`, owner: '', epoch: 3, ...length, until: 9_007_199_254_740_991 };
    await db.insertInto('leases').values(row).execute();
    expect(await db.selectFrom('leases').selectAll().execute()).toEqual([row]);
    const counted = db
      .selectFrom('leases')
      .select((eb) => [eb.fn.countAll<number>().as('n'), eb.fn.sum<number>('epoch').as('sum')]);
    expect(await counted.execute()).toEqual([{ n: 1, sum: 3 }]);
  });

  test(`${name}: a transaction is seen whole or not at all`, async () => {
    const [one, two] = await openTwice(engine);
    const keys = async () =>
      (await two.db.selectFrom('meta').select('key').where('key', 'like', 'half-%').execute()).length;
    const seen: number[] = [];
    await one.transaction(async (trx) => {
      await trx.insertInto('meta').values({ key: 'half-1', value: '' }).execute();
      seen.push(await keys());
      await trx.insertInto('meta').values({ key: 'half-2', value: '' }).execute();
    });
    seen.push(await keys());
    const failing = one.transaction(async (trx) => {
      await trx.deleteFrom('meta').where('key', 'like', 'half-%').execute();
      throw new Error('a fault of ours');
    });
    await expect(failing).rejects.toThrow('a fault of ours');
    seen.push(await keys());
    expect(seen).toEqual([0, 2, 2]);
  });

  test(`${name}: a ledger of a newer version is refused, and says so`, async () => {
    const where = await place();
    const ledger = await openAt(where);
    const migrations = ledger.db.withTables<{ kysely_migration: { name: string; timestamp: string } }>();
    await migrations.insertInto('kysely_migration').values({ name: '999-tomorrow', timestamp: '2099-01-01' }).execute();
    await expect(openLedger(where)).rejects.toMatchObject({
      code: 'ledger',
      message:
        'The ledger was written by a newer version of offerline (migration 999-tomorrow). Run that version, or restore the backup from before the upgrade.',
    });
  });
}
