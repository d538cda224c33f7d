import { expect, test } from 'vitest';
import { clearCandidate, feedState, listFeeds, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { recentDeliveries } from '../../../src/ledger/runs/deliveries.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { recordDecision } from '../../../src/ledger/alerts/audit.ts';
import { openWork } from '../../../src/ledger/maintenance/open-work.ts';
import { stageSeconds } from '../../../src/ledger/maintenance/work-counts.ts';
import {
  addEvent,
  closeRun,
  createRun,
  decideRun,
  eventsOf,
  getRun,
  hasNewerOutcome,
  listRuns,
  runsAt,
  runsOfIntent,
  updateRun,
} from '../../../src/ledger/runs/runs.ts';
import { idOfRun } from '../../../src/ledger/runs/named-run.ts';
import { countOutcomes } from '../../../src/ledger/runs/outcomes.ts';
import { openAt, openTwice, type Engine } from './engine.ts';
import { decided, rowCounts } from '../../support/answers.ts';
import { found } from '../../support/reasons.ts';

const NOW = Date.UTC(2026, 4, 4, 6, 0, 0);

function start(ledger: Ledger, changes: { feed?: string; login?: string; now?: number } = {}): Promise<string> {
  const { feed = 'north', login = 'main', now = NOW } = changes;
  return createRun(ledger.db, { feed, login, cause: 'manual', options: { wait: true }, sandbox: true, now });
}

/** What every ledger promises about runs and feeds. */
export function runsConformance(engine: Engine): void {
  const { name, place } = engine;

  test(`${name}: a new run stands at the pull, and is open work until it is done`, async () => {
    const { db } = await openAt(await place());
    const id = await createRun(db, {
      feed: 'north',
      login: 'main',
      cause: 'schedule',
      options: {},
      sandbox: false,
      now: NOW,
    });
    expect(id).toMatch(/^20260504-060000-[0-9a-z]{5}$/);
    const run = await getRun(db, id);
    expect(run).toMatchObject({ id, stage: 'pull', outcome: null, sandbox: 0, tries: 0, created_at: NOW });
    expect(await openWork(db)).toEqual({ runs: 1, uploads: 0 });
    await updateRun(db, id, { stage: 'done', delivery_bytes: 5_000_000_000 });
    expect(await getRun(db, id)).toMatchObject({ delivery_bytes: 5_000_000_000 });
    expect(await openWork(db)).toEqual({ runs: 0, uploads: 0 });
  });

  test(`${name}: the seconds of a stage are those of work, not of waiting for a person`, async () => {
    const ledger = await openAt(await place());
    const { db } = ledger;
    const run = await start(ledger);
    const day = 86_400_000;
    await addEvent(db, run, { at: NOW + 2000, stage: 'pull', message: 'pulled' });
    await addEvent(db, run, { at: NOW + 5000, stage: 'read', message: 'held' });
    await ledger.transaction(async (trx) => {
      const by = { who: 'ana', reason: 'it is right', via: 'cli', origin: null } as const;
      await recordDecision(trx, { at: NOW + day, action: 'approve', subject: run, ...by });
      await addEvent(trx, run, { at: NOW + day, stage: 'compose', message: 'approved by ana: it is right' });
    });
    await addEvent(db, run, { at: NOW + day + 4000, stage: 'compose', message: 'composed' });
    await updateRun(db, run, { stage: 'done', finished_at: NOW + day + 4000 });
    expect(await stageSeconds(db, NOW)).toEqual(
      new Map([
        ['pull', { seconds: 2, runs: 1 }],
        ['read', { seconds: 3, runs: 1 }],
        ['compose', { seconds: 4, runs: 1 }],
      ]),
    );
    expect(await stageSeconds(db, NOW + 2 * day)).toEqual(new Map());
  });

  test(`${name}: the later run of a feed is the newer one, also after the clock was set back`, async () => {
    const ledger = await openAt(await place());
    const { db } = ledger;
    const before = await start(ledger, { now: NOW + 3_600_000 });
    await decideRun(db, before, { outcome: 'live', cause: 'uploaded', reason: null, now: NOW + 3_600_000 });
    const after = await start(ledger);
    expect(await hasNewerOutcome(db, await getRun(db, after))).toBe(false);
    expect((await listRuns(db, { feed: 'north', limit: 1 }))[0]?.id).toBe(after);
  });

  test(`${name}: an unknown run is the user's mistake`, async () => {
    const { db } = await openAt(await place());
    await expect(getRun(db, 'nope')).rejects.toMatchObject({
      code: 'not-found',
      message: 'There is no run nope; `offerline runs` lists them.',
    });
  });

  test(`${name}: the outcome is decided, and amended, with the first finishing time kept`, async () => {
    const ledger = await openAt(await place());
    const { db } = ledger;
    const id = await start(ledger);
    await decideRun(db, id, { outcome: 'failed', cause: 'unsent', reason: found('too late'), now: NOW + 1 });
    await decideRun(db, id, { outcome: 'live', cause: 'uploaded', reason: null, now: NOW + 2 });
    expect(await getRun(db, id)).toMatchObject({
      outcome: 'live',
      reason: null,
      stage: 'report',
      finished_at: NOW + 1,
    });
    const messages = (await eventsOf(db, id)).map((event) => [event.at, event.message]);
    expect(messages).toEqual([
      [NOW + 1, 'outcome: failed: too late'],
      [NOW + 2, 'outcome: live'],
    ]);
  });

  test(`${name}: a run ends with the outcome that its report tells, not with one that came meanwhile`, async () => {
    const ledger = await openAt(await place());
    const { db } = ledger;
    const id = await start(ledger);
    await decideRun(db, id, { outcome: 'failed', cause: 'unsent', reason: found('too late'), now: NOW });
    const told = await getRun(db, id);
    await decideRun(db, id, { outcome: 'live', cause: 'uploaded', reason: null, now: NOW });
    await closeRun(db, told);
    expect(await getRun(db, id)).toMatchObject({ stage: 'report', outcome: 'live', amended: 'failed' });
    await closeRun(db, await getRun(db, id));
    expect(await getRun(db, id)).toMatchObject({ stage: 'done' });
  });

  test(`${name}: moments that workers add at once are all kept`, async () => {
    const [one, two] = await openTwice(engine);
    const id = await start(one);
    const events = Array.from({ length: 20 }, (_, n) => ({
      at: NOW + n,
      stage: 'read' as const,
      message: `moment ${n}`,
    }));
    await Promise.all(events.map((event, n) => addEvent((n % 2 === 0 ? one : two).db, id, event)));
    const kept = await eventsOf(one.db, id);
    expect(kept.toSorted((a, b) => a.at - b.at)).toEqual(events);
  });

  test(`${name}: a moment of a run that does not exist is a fault`, async () => {
    const { db } = await openAt(await place());
    await expect(addEvent(db, 'nope', { at: NOW, stage: 'read', message: 'lost' })).rejects.toThrow(/foreign key/i);
  });

  test(`${name}: runs are listed newest first, by feed, login, outcomes and time`, async () => {
    const ledger = await openAt(await place());
    const { db } = ledger;
    const a = await start(ledger);
    const b = await start(ledger, { feed: 'south', now: NOW + 1 });
    const c = await start(ledger, { login: 'other', now: NOW + 2 });
    await decideRun(db, b, { outcome: 'held', cause: 'guard', reason: found('small'), now: NOW + 3 });
    const ids = async (filter: object, limit = 10) => (await listRuns(db, { ...filter, limit })).map((run) => run.id);
    expect(await ids({})).toEqual([c, b, a]);
    expect(await ids({}, 2)).toEqual([c, b]);
    expect(await ids({ feed: 'north' })).toEqual([c, a]);
    expect(await ids({ login: 'main' })).toEqual([b, a]);
    expect(await ids({ outcomes: ['held', 'failed'] })).toEqual([b]);
    expect(await ids({ since: NOW + 1 })).toEqual([c, b]);
    expect((await runsAt(db, ['pull', 'report'])).map((run) => run.id)).toEqual([a, b, c]);
    expect((await runsAt(db, ['report'])).map((run) => run.id)).toEqual([b]);
  });

  test(`${name}: a run is meant by its id, part of it, or as the latest`, async () => {
    const ledger = await openAt(await place());
    const { db } = ledger;
    await expect(idOfRun(db, 'latest')).rejects.toMatchObject({ code: 'not-found' });
    const a = await start(ledger);
    const b = await start(ledger, { feed: 'south', now: NOW + 60_000 });
    expect(await idOfRun(db, a)).toBe(a);
    expect(await idOfRun(db, a.slice(-5))).toBe(a);
    expect(await idOfRun(db, '20260504-0601')).toBe(b);
    expect(await idOfRun(db, 'latest')).toBe(b);
    expect(await idOfRun(db, 'latest:north')).toBe(a);
    await expect(idOfRun(db, '20260504')).rejects.toMatchObject({
      code: 'usage',
      message: `20260504 fits several runs: ${b}, ${a}. Write more of the id.`,
    });
    for (const none of ['latest:west', 'zzzzz', '2', '', '%', '_____', `${a}x`]) {
      await expect(idOfRun(db, none)).rejects.toMatchObject({ code: 'not-found' });
    }
  });

  test(`${name}: a newer outcome of the feed is one that says something of its file`, async () => {
    const ledger = await openAt(await place());
    const [first, second] = [await start(ledger), await start(ledger, { now: NOW + 1 })];
    const newerThan = async (id: string) => hasNewerOutcome(ledger.db, await getRun(ledger.db, id));
    expect(await newerThan(first)).toBe(false);
    await decideRun(ledger.db, second, { outcome: 'nothing', cause: 'no-file', reason: null, now: NOW });
    expect(await newerThan(first)).toBe(false);
    await decideRun(ledger.db, second, { outcome: 'held', cause: 'guard', reason: null, now: NOW });
    expect(await newerThan(first)).toBe(true);
    expect(await newerThan(second)).toBe(false);
  });

  test(`${name}: the runs of a span of time are counted by feed and outcome`, async () => {
    const ledger = await openAt(await place());
    const [before, first, second] = [
      await start(ledger),
      await start(ledger, { now: NOW + 1 }),
      await start(ledger, { now: NOW + 2 }),
    ];
    await start(ledger, { feed: 'south', now: NOW + 3 });
    await start(ledger, { feed: 'south', now: NOW + 4 });
    for (const id of [before, first, second]) {
      await decideRun(ledger.db, id, { outcome: 'live', cause: 'uploaded', reason: null, now: NOW + 9 });
    }
    const counted = await countOutcomes(ledger.db, { from: NOW, to: NOW + 3 });
    expect(counted.toSorted((a, b) => a.feed.localeCompare(b.feed))).toEqual([
      { feed: 'north', outcome: 'live', runs: 2 },
      { feed: 'south', outcome: null, runs: 1 },
    ]);
  });

  test(`${name}: the runs of an intent are found`, async () => {
    const ledger = await openAt(await place());
    const [one, two] = [await start(ledger), await start(ledger, { feed: 'south', now: NOW + 1 })];
    await start(ledger, { feed: 'east' });
    for (const id of [two, one]) await updateRun(ledger.db, id, { intent: 'i1' });
    expect((await runsOfIntent(ledger.db, 'i1')).map((run) => run.id)).toEqual([one, two]);
  });

  test(`${name}: a feed is remembered, and starts afresh when it moves to another login`, async () => {
    const { db } = await openAt(await place());
    await Promise.all([1, 2, 3].map(() => feedState(db, 'north', 'main')));
    await updateFeed(db, 'north', {
      contribution: 'r1',
      live_sha: 'x',
      checkpoint: { origin: 'x', name: 'north.csv', size: 1, sha256: 'x', mtimeMs: null },
      next_due: NOW,
      schedule: 's',
    });
    expect(await feedState(db, 'north', 'main')).toMatchObject({ contribution: 'r1', next_due: NOW });
    const moved = await feedState(db, 'north', 'other');
    expect(moved).toMatchObject({
      login: 'other',
      contribution: null,
      live_sha: null,
      checkpoint: null,
      next_due: NOW,
    });
    expect(await listFeeds(db, 'other')).toEqual([moved]);
    expect(await listFeeds(db, 'main')).toEqual([]);
  });

  test(`${name}: a candidate is cleared by its own run only`, async () => {
    const ledger = await openAt(await place());
    const { db } = ledger;
    const [older, newer] = [await start(ledger), await start(ledger)];
    await feedState(db, 'north', 'main');
    await updateFeed(db, 'north', { candidate: newer, candidate_at: NOW });
    await clearCandidate(db, await getRun(db, older));
    expect(await feedState(db, 'north', 'main')).toMatchObject({ candidate: newer, candidate_at: NOW });
    await clearCandidate(db, await getRun(db, newer));
    expect(await feedState(db, 'north', 'main')).toMatchObject({ candidate: null, candidate_at: null });
  });

  test(`${name}: the last deliveries of a feed are told with their ends, the oldest first`, async () => {
    const ledger = await openAt(await place());
    const { db } = ledger;
    const ids: string[] = [];
    for (const [n, outcome] of (['failed', 'live', 'unchanged', 'held', 'nothing', 'partial'] as const).entries()) {
      const id = await start(ledger, { now: NOW + n });
      if (outcome !== 'held') await updateRun(db, id, { account: rowCounts({ live: 10 + n }) });
      await decideRun(db, id, { ...decided(outcome), reason: null, now: NOW + 100 + n });
      ids.push(id);
    }
    await decideRun(db, await start(ledger, { feed: 'south' }), { ...decided('live'), reason: null, now: NOW });
    await start(ledger, { now: NOW + 50 });
    expect(await recentDeliveries(db, 'north', 3)).toEqual([
      { run: ids[1], at: NOW + 101, outcome: 'live', rows: 11 },
      { run: ids[3], at: NOW + 103, outcome: 'held', rows: null },
      { run: ids[5], at: NOW + 105, outcome: 'partial', rows: 15 },
    ]);
  });
}
