import { expect, test } from 'vitest';
import { noteDelivery, noteWarning, waitsSince } from '../../../src/ledger/runs/deliveries.ts';
import { feedState, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { raise, recover } from '../../../src/ledger/alerts/incidents.ts';
import { countedOn, findPrunable, markPruned, prunedAmong } from '../../../src/ledger/maintenance/retention.ts';
import { createRun, decideRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { openAt, type Engine } from './engine.ts';
import { saying } from '../../support/reasons.ts';

const NOW = Date.UTC(2026, 4, 4, 6, 0, 0);
const DAY = 86_400_000;
const KEEP = { deliveries: 90 * DAY, datasets: 2, reports: 400 * DAY };
const NOTHING = { deliveries: [], reports: [], datasets: [] };

/** What every ledger promises about what it keeps, and about deliveries that are waited for. */
export function retentionConformance(engine: Engine): void {
  const { name, place } = engine;

  test(`${name}: what goes is marked, and its files are counted on no longer`, async () => {
    const { db } = await openAt(await place());
    const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
    const id = await createRun(db, { ...asked, now: NOW });
    await updateRun(db, id, { delivery_sha: 'd', rows_sha: 'r', issues_sha: 'i' });
    await decideRun(db, id, { outcome: 'rejected', cause: 'file-unusable', reason: null, now: NOW });
    await raise(db, { kind: 'delivery', login: 'main', feed: 'north', reason: saying('rejected') }, NOW);
    await recover(db, { kind: 'delivery', login: 'main', feed: 'north', text: 'live' }, NOW);
    await db.updateTable('incidents').set({ settled_at: NOW }).execute();
    expect(await findPrunable(db, KEEP, NOW + 500 * DAY)).toEqual(NOTHING);
    await updateRun(db, id, { stage: 'done' });
    const later = NOW + 91 * DAY;
    const found = await findPrunable(db, KEEP, later);
    expect(found).toMatchObject({ deliveries: [{ id }], reports: [], datasets: [] });
    expect(await countedOn(db, NOTHING, KEEP, later)).toEqual(new Set(['d', 'r', 'i']));
    expect(await countedOn(db, found, KEEP, later)).toEqual(new Set(['i']));
    await db
      .insertInto('hook_counts')
      .values([`run ${id}`, 'login main'].map((subject) => ({ subject, seq: 1 })))
      .execute();
    const countsOf = async () => (await db.selectFrom('hook_counts').select('subject').execute()).length;
    await markPruned(db, found, KEEP, later);
    expect(await countsOf()).toBe(2);
    expect(await countedOn(db, NOTHING, KEEP, later)).toEqual(new Set(['i']));
    expect(await getRun(db, id)).toMatchObject({ bytes_pruned_at: later, reports_pruned_at: null, delivery_sha: 'd' });
    const muchLater = NOW + 401 * DAY;
    await markPruned(db, await findPrunable(db, KEEP, muchLater), KEEP, muchLater);
    expect(await prunedAmong(db, ['another', id, ...Array.from({ length: 1200 }, (_, at) => `run-${at}`)])).toEqual([
      id,
    ]);
    expect(await countedOn(db, NOTHING, KEEP, muchLater)).toEqual(new Set());
    expect(await countsOf()).toBe(1);
    expect(await db.selectFrom('incidents').selectAll().execute()).toEqual([]);
  });

  test(`${name}: what changes of the newest rows, or held ones, were put upon is not pruned`, async () => {
    const { db } = await openAt(await place());
    const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
    await feedState(db, 'north', 'main');
    const add = async (rows_sha: string, base: string | null, outcome: 'nothing' | 'held' | 'failed') => {
      const id = await createRun(db, { ...asked, now: NOW });
      const cause = ({ nothing: 'superseded', held: 'guard', failed: 'fault' } as const)[outcome];
      await decideRun(db, id, { outcome, cause, reason: null, now: NOW } as Parameters<typeof decideRun>[2]);
      await updateRun(db, id, { rows_sha, base, stage: 'done' });
      return id;
    };
    const old = await add('old', null, 'nothing');
    const base = await add('base', old, 'nothing');
    const head = await add('head', base, 'failed');
    const under = await add('under', old, 'nothing');
    await add('held', under, 'held');
    await updateFeed(db, 'north', { head });
    const { deliveries } = await findPrunable(db, KEEP, NOW + 91 * DAY);
    expect(deliveries.map(({ id }) => id)).toEqual([old]);
  });

  test(`${name}: a delivery is noted once, and ends what was missing`, async () => {
    const { db } = await openAt(await place());
    await feedState(db, 'north', 'main');
    expect(await waitsSince(db, 'north', NOW)).toEqual({ since: NOW, delivered: false });
    expect(await waitsSince(db, 'north', NOW + 5)).toEqual({ since: NOW, delivered: false });
    expect(await noteWarning(db, 'north', NOW + 6)).toBe(NOW + 6);
    expect(await noteWarning(db, 'north', NOW + 7)).toBe(NOW + 6);
    await raise(db, { kind: 'missing-delivery', login: 'main', feed: 'north', reason: saying('nothing') }, NOW);
    const arrival = { feed: 'north', login: 'main', name: 'n.csv', fingerprint: 'a' };
    expect(await noteDelivery(db, arrival, NOW + 10)).toBe(true);
    expect(await noteDelivery(db, arrival, NOW + 11)).toBe(false);
    expect(await waitsSince(db, 'north', NOW + 12)).toEqual({ since: NOW + 10, delivered: true });
    expect(await feedState(db, 'north', 'main')).toMatchObject({ warned_at: null });
    expect(await db.selectFrom('incidents').select('recovery').execute()).toEqual([
      { recovery: 'n.csv was delivered' },
    ]);
  });
}
