import { expect, test } from 'vitest';
import { listIncidents, openIncident, raise, recover, type Raise } from '../../../src/ledger/alerts/incidents.ts';
import { openAt, openTwice, type Engine } from './engine.ts';
import { saying } from '../../support/reasons.ts';

const NOW = Date.UTC(2026, 4, 4, 6, 0, 0);
const MISSING: Raise = {
  kind: 'missing-delivery',
  login: 'main',
  feed: 'north',
  reason: saying('nothing came for 26 h'),
};
const BACK = { kind: MISSING.kind, login: 'main', feed: 'north', text: 'a delivery came' };

/** What every ledger promises about incidents. */
export function incidentsConformance(engine: Engine): void {
  const { name, place } = engine;

  test(`${name}: an incident is news once, and its text is the newest`, async () => {
    const { db } = await openAt(await place());
    expect(await raise(db, { ...MISSING, numbers: { hours: 26 } }, NOW)).toBe(true);
    expect(
      await raise(db, { ...MISSING, reason: saying('nothing came for 27 h'), numbers: { hours: 27 } }, NOW + 1),
    ).toBe(false);
    expect(await listIncidents(db)).toMatchObject([
      {
        kind: 'missing-delivery',
        subject: 'feed north',
        text: 'nothing came for 27 h',
        numbers: { hours: 27 },
        times: 2,
        opened_at: NOW,
        seen_at: NOW + 1,
        told_at: null,
      },
    ]);
  });

  test(`${name}: workers that raise the same incident at once make one, and one of them the news`, async () => {
    const ledgers = await openTwice(engine);
    const news = await Promise.all(
      Array.from({ length: 20 }, (_, n) => raise(ledgers[n % 2 === 0 ? 0 : 1].db, MISSING, NOW + n)),
    );
    expect(news.filter(Boolean)).toHaveLength(1);
    expect(await listIncidents(ledgers[0].db, { all: true })).toMatchObject([{ times: 20 }]);
  });

  test(`${name}: a recovery ends it once; afterwards the same is another incident`, async () => {
    const { db } = await openAt(await place());
    expect(await recover(db, BACK, NOW)).toBe(false);
    await raise(db, MISSING, NOW);
    expect(await recover(db, { ...BACK, run: 'r2' }, NOW + 1)).toBe(true);
    expect(await recover(db, BACK, NOW + 2)).toBe(false);
    expect(await openIncident(db, MISSING)).toBeUndefined();
    expect(await raise(db, MISSING, NOW + 3)).toBe(true);
    expect(await listIncidents(db, { all: true })).toMatchObject([
      { recovered_at: NOW + 1, recovery: 'a delivery came', recovered_run: 'r2', settled_at: null },
      { opened_at: NOW + 3, recovered_at: null },
    ]);
  });

  test(`${name}: another cause takes the place of the open one, which is not told as a recovery`, async () => {
    const { db } = await openAt(await place());
    await raise(db, { ...MISSING, kind: 'delivery', cause: 'a.csv' }, NOW);
    expect(await raise(db, { ...MISSING, kind: 'delivery', cause: 'a.csv' }, NOW + 1)).toBe(false);
    expect(await raise(db, { ...MISSING, kind: 'delivery', cause: 'b.csv' }, NOW + 2)).toBe(true);
    expect(await listIncidents(db, { all: true })).toMatchObject([
      { cause: 'a.csv', recovered_at: NOW + 2, settled_at: NOW + 2 },
      { cause: 'b.csv', recovered_at: null },
    ]);
  });

  test(`${name}: kinds, feeds and logins are apart, and listed by what is asked`, async () => {
    const { db } = await openAt(await place());
    await raise(db, MISSING, NOW);
    await raise(db, { ...MISSING, feed: 'south' }, NOW + 1);
    await raise(db, { kind: 'credentials', login: 'main', reason: saying('answered 401') }, NOW + 2);
    await raise(db, { kind: 'credentials', login: 'outlet', reason: saying('answered 401') }, NOW + 3);
    await recover(db, BACK, NOW + 4);
    const subjects = async (filter: Parameters<typeof listIncidents>[1]) =>
      (await listIncidents(db, filter)).map(({ subject }) => subject);
    expect(await subjects({})).toEqual(['feed south', 'login main', 'login outlet']);
    expect(await subjects({ all: true, feed: 'north' })).toEqual(['feed north']);
    expect(await subjects({ login: 'main' })).toEqual(['feed south', 'login main']);
    expect(await subjects({ kind: 'credentials' })).toEqual(['login main', 'login outlet']);
  });

  test(`${name}: what is raised in a transaction that fails was not raised`, async () => {
    const ledger = await openAt(await place());
    const failing = ledger.transaction(async (trx) => {
      await raise(trx, MISSING, NOW);
      throw new Error('a fault of ours');
    });
    await expect(failing).rejects.toThrow('a fault of ours');
    expect(await listIncidents(ledger.db, { all: true })).toEqual([]);
  });
}
