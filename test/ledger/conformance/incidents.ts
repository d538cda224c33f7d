import { expect, test } from 'vitest';
import { listIncidents, openIncident, raise, recover, type Raise } from '../../../src/ledger/alerts/incidents.ts';
import { recordDecision } from '../../../src/ledger/alerts/audit.ts';
import { changeWork, endQuietOfDelivery, wasWorkedOn } from '../../../src/ledger/alerts/incident-work.ts';
import { getIncident } from '../../../src/ledger/alerts/named-incident.ts';
import { createRun } from '../../../src/ledger/runs/runs.ts';
import type { QuietUntil } from '../../../src/model.ts';
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

  test(`${name}: of many who change who works on it at once one does, and what is over is changed by nobody`, async () => {
    const ledgers = await openTwice(engine);
    const { db } = ledgers[0];
    await raise(db, MISSING, NOW);
    const row = (await openIncident(db, MISSING))!;
    const changed = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        changeWork(
          ledgers[n % 2 === 0 ? 0 : 1].db,
          row,
          { taken_by: `p${n}`, taken_as: 'name', taken_at: NOW },
          NOW + 1,
        ),
      ),
    );
    expect(changed.filter(Boolean)).toHaveLength(1);
    const taken = (await openIncident(db, MISSING))!;
    expect(taken.taken_by).toBe(`p${changed.indexOf(true)}`);
    await raise(db, { ...MISSING, cause: 'another' }, NOW + 2);
    expect(await openIncident(db, MISSING)).toMatchObject({
      taken_by: taken.taken_by,
      taken_at: NOW,
      worked_at: NOW + 1,
    });
    expect(await changeWork(db, taken, { taken_by: null }, NOW + 3)).toBe(false);
  });

  test(`${name}: what is quiet ends with a delivery of its feed, a graver incident, or when more is wrong`, async () => {
    const { db } = await openAt(await place());
    const rows: Raise = {
      kind: 'unbalanced',
      login: 'main',
      feed: 'north',
      reason: saying('rows'),
      numbers: { unexplained: 2 },
    };
    const quiet = async (until: QuietUntil) => {
      const row = (await openIncident(db, rows))!;
      const set = { quiet_until: until, quiet_at: NOW, quiet_ended_at: null, quiet_extent: 2 };
      expect(await changeWork(db, row, set, (row.worked_at ?? NOW) + 1)).toBe(true);
    };
    const ended = async () => (await openIncident(db, rows))?.quiet_ended_at ?? null;
    await raise(db, rows, NOW);
    await quiet('worse');
    await raise(db, { ...rows, numbers: { unexplained: 1 } }, NOW + 1);
    await raise(db, { ...MISSING, kind: 'missing-delivery' }, NOW + 1);
    await raise(db, { kind: 'expiry', login: 'main', feed: 'south', reason: saying('old') }, NOW + 1);
    await endQuietOfDelivery(db, 'north', NOW + 1);
    expect(await ended()).toBeNull();
    await raise(db, { ...rows, numbers: { unexplained: 3 } }, NOW + 2);
    expect(await ended()).toBe(NOW + 2);
    await quiet('time');
    await raise(db, { kind: 'expiry', login: 'main', feed: 'north', reason: saying('old') }, NOW + 3);
    expect(await ended()).toBe(NOW + 3);
    await quiet('delivery');
    await endQuietOfDelivery(db, 'south', NOW + 4);
    expect(await ended()).toBeNull();
    await endQuietOfDelivery(db, 'north', NOW + 5);
    expect(await ended()).toBe(NOW + 5);
    await quiet('delivery');
    await raise(db, { kind: 'credentials', login: 'main', reason: saying('401') }, NOW + 6);
    expect(await ended()).toBe(NOW + 6);
  });

  test(`${name}: a decision about it, its feed, its login or a run of them is something that was done`, async () => {
    const { db } = await openAt(await place());
    await raise(db, MISSING, NOW);
    const row = (await openIncident(db, MISSING))!;
    const asked = { login: 'main', options: {}, sandbox: false, now: NOW } as const;
    const run = await createRun(db, { ...asked, feed: 'north', cause: 'schedule' });
    const other = await createRun(db, { ...asked, feed: 'south', cause: 'schedule' });
    const by = { who: 'anna', reason: 'x', via: 'cli', origin: null } as const;
    let at = NOW;
    for (const [subject, counts] of [
      [`incident ${row.id}`, true],
      ['feed north', true],
      ['login main', true],
      [run, true],
      [other, false],
      ['feed south', false],
      ['incident of another', false],
    ] as const) {
      at += 1000;
      await recordDecision(db, { at, action: 'approve', subject, ...by });
      expect([subject, await wasWorkedOn(db, row, at - 1)]).toEqual([subject, counts]);
      expect(await wasWorkedOn(db, row, at)).toBe(false);
    }
    await createRun(db, { ...asked, feed: 'south', cause: 'manual', now: at + 1 });
    expect(await wasWorkedOn(db, row, at)).toBe(false);
    // Runs begin by themselves as well, and timers of the system call ingest.
    await createRun(db, { ...asked, feed: 'north', cause: 'rerun', now: at + 1 });
    await recordDecision(db, { at: at + 1, action: 'ingest', subject: 'feed north', ...by });
    expect(await wasWorkedOn(db, row, at)).toBe(false);
  });

  test(`${name}: an incident is named by its id, or by a part that no other has`, async () => {
    const { db } = await openAt(await place());
    await raise(db, MISSING, NOW);
    await raise(db, { ...MISSING, feed: 'south' }, NOW);
    const [one] = await listIncidents(db);
    const { id } = one!;
    expect((await getIncident(db, id)).id).toBe(id);
    expect((await getIncident(db, id.slice(-5))).id).toBe(id);
    await expect(getIncident(db, id.slice(0, 8))).rejects.toThrow('fits several incidents');
    for (const wrong of ['zz', '', '%', 'nothing'])
      await expect(getIncident(db, wrong)).rejects.toThrow('There is no incident');
  });
}
