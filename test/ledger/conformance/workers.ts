import { describe, expect, test } from 'vitest';
import { newerMigration } from '../../../src/ledger/migrate.ts';
import { looksOf, noteLook } from '../../../src/ledger/workers/looks.ts';
import { endWorker, forgetWorkers, listWorkers, showWorker } from '../../../src/ledger/workers/workers.ts';
import { openAt, type Engine } from './engine.ts';

const WORKER = {
  id: 'w1',
  name: 'cellar',
  host: 'cellar.example',
  version: '1.0.0',
  migration: '036-link-suppliers',
  serves: ['nas', '__proto__'],
  stays: 1,
  state: 'works',
} as const;

/** Who works, and who could not reach what. */
export function workersConformance(engine: Engine): void {
  describe(`workers on ${engine.name}`, () => {
    test('a worker is alive while it shows itself, by the clock of the database', async () => {
      const ledger = await openAt(await engine.place());
      await showWorker(ledger, { ...WORKER, serves: [...WORKER.serves] }, 60_000);
      const [first] = await listWorkers(ledger);
      expect(first).toMatchObject({ ...WORKER, alive: true });
      expect(first!.until - first!.seen_at).toBeGreaterThanOrEqual(60_000);
      expect(Math.abs(first!.seen_at - (await ledger.now()))).toBeLessThan(60_000);
      await showWorker(ledger, { ...WORKER, serves: [], state: 'outdated' }, -1);
      const [later] = await listWorkers(ledger);
      expect(later).toMatchObject({ serves: WORKER.serves, state: 'outdated', alive: false });
      expect(later!.started_at).toBe(first!.started_at);
      await endWorker(ledger, WORKER.id);
      expect(await listWorkers(ledger)).toEqual([]);
    });

    test('one that is gone is forgotten when another of its name begins, one that lives never', async () => {
      const ledger = await openAt(await engine.place());
      const show = (id: string, name: string, lasts: number, stays = 1) =>
        showWorker(ledger, { ...WORKER, serves: [], id, name, stays }, lasts);
      await show('a1', 'attic', -1000);
      await show('a2', 'attic', 60_000);
      await show('c1', 'cellar', -1000);
      await show('c2', 'cellar', -90_000_000);
      await show('c3', 'cellar', -1000, 0);
      await noteLook(ledger, { run: 'r1', worker: 'c1', name: 'cellar', found: 'missing' });
      await noteLook(ledger, { run: 'r0', worker: 'c1', name: 'cellar', found: 'missing' });
      await ledger.db.updateTable('looks').set({ at: 1 }).where('run', '=', 'r0').execute();
      await forgetWorkers(ledger, 'attic');
      expect((await listWorkers(ledger)).map(({ id }) => id)).toEqual(['a2', 'c1']);
      expect(await looksOf(ledger.db, 'r1')).toHaveLength(1);
      expect(await looksOf(ledger.db, 'r0')).toEqual([]);
    });

    test('each worker has one look at a run, which counts how often it met it', async () => {
      const ledger = await openAt(await engine.place());
      const look = { run: 'r1', worker: 'w1', name: 'cellar' };
      expect(await noteLook(ledger, { ...look, found: 'elsewhere' })).toBe(1);
      expect(await noteLook(ledger, { ...look, found: 'missing' })).toBe(2);
      expect(await noteLook(ledger, { ...look, worker: 'w2', name: 'attic', found: 'missing' })).toBe(1);
      expect(await looksOf(ledger.db, 'r1')).toMatchObject([
        { worker: 'w1', found: 'missing', times: 2 },
        { worker: 'w2', found: 'missing', times: 1 },
      ]);
      expect(await looksOf(ledger.db, 'r2')).toEqual([]);
    });

    test('a migration of a newer version is noticed by a ledger that is open', async () => {
      const ledger = await openAt(await engine.place());
      expect(await newerMigration(ledger)).toBeNull();
      const later = { name: '999-later', timestamp: new Date().toISOString() };
      await ledger.db
        .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
        .insertInto('kysely_migration')
        .values(later)
        .execute();
      expect(await newerMigration(ledger)).toBe('999-later');
    });
  });
}
