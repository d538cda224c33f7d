import { describe, expect, test } from 'vitest';
import { leaveNote, type RestoreNote } from '../../../src/ledger/alerts/notes.ts';
import type { Db } from '../../../src/ledger/ledger.ts';
import { endWaitForPush, fetchingOf } from '../../../src/ledger/maintenance/fetching.ts';
import { insertPushed } from '../../../src/ledger/pushed.ts';
import { feedState, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { addPause, endPause } from '../../../src/ledger/runs/pauses.ts';
import { createRun, decideRun, updateRun, type UndatedDecision } from '../../../src/ledger/runs/runs.ts';
import { openAt, type Engine } from './engine.ts';

const RESTORED: RestoreNote = {
  place: '/backups',
  backup: 'b1',
  madeAt: 1,
  at: 2,
  original: 'the-first',
  filled: true,
  complete: true,
  chosen: 'live',
  term: 't',
  fetching: {},
};

const FEEDS = {
  north: { login: 'main', source: { type: 'directory' } },
  south: { login: 'main', source: { type: 'push' } },
};

const FAILED: UndatedDecision = { outcome: 'failed', cause: 'source-unreachable', reason: null };
const HELD: UndatedDecision = { outcome: 'held', cause: 'guard', reason: null };
const UNUSABLE: UndatedDecision = { outcome: 'rejected', cause: 'file-unusable', reason: null };
const TURNED_DOWN: UndatedDecision = { outcome: 'rejected', cause: 'turned-down', reason: null };
const NOTHING: UndatedDecision = { outcome: 'nothing', cause: 'no-file', reason: null };

/** A restored ledger whose login waits for a run of a feed, and later runs of it; each ended so, null: its rows wait to be uploaded. */
async function fetched(engine: Engine, ended: readonly (UndatedDecision | null)[]) {
  const { db } = await openAt(await engine.place());
  const first = await begun(db, 0);
  await leaveNote(db, 'restored', { ...RESTORED, fetching: { main: [first] } });
  const atFirst = await fetchingOf(db, 'main', FEEDS);
  for (const [at, decision] of ended.entries()) {
    const id = at === 0 ? first : await begun(db, at);
    if (decision === null) await updateRun(db, id, { stage: 'compose' });
    else await decideRun(db, id, { ...decision, now: at });
  }
  return { db, id: first, atFirst };
}

async function begun(db: Db, now: number, feed = 'north'): Promise<string> {
  return createRun(db, { feed, login: 'main', cause: 'manual', options: {}, sandbox: false, now });
}

/** What a login waits for after a restore. */
export function fetchingConformance(engine: Engine): void {
  describe(`deliveries since a restored backup on ${engine.name}`, () => {
    test.each<[string, (UndatedDecision | null)[], 'missing' | null]>([
      ['has brought rows', [null], null],
      ['failed', [FAILED], 'missing'],
      ['failed, and a later one found nothing', [FAILED, NOTHING], null],
      ['is held', [HELD], 'missing'],
      ['is held, and a later one found nothing', [HELD, NOTHING], 'missing'],
      ['is held, and a later one has brought rows', [HELD, null], null],
      ['is held, and somebody turned it down', [TURNED_DOWN], null],
      ['cannot be used', [UNUSABLE, NOTHING], 'missing'],
    ])('a login waits for a run that fetches, until there are rows or a decision: it %s', async (_, ended, waits) => {
      const { db, atFirst } = await fetched(engine, ended);
      expect(atFirst).toBe('open');
      expect(await fetchingOf(db, 'main', FEEDS)).toBe(waits);
    });

    test('a pause of the feed ends the wait, and so do rows that wait under a run that was answered in time', async () => {
      const { db, id } = await fetched(engine, [FAILED]);
      await addPause(db, { kind: 'feed', name: 'north', at: 9, who: 'ops', reason: 'they are gone' });
      expect(await fetchingOf(db, 'main', FEEDS)).toBeNull();
      await endPause(db, { kind: 'feed', name: 'north' });
      expect(await fetchingOf(db, 'main', FEEDS)).toBe('missing');
      await feedState(db, 'north', 'main');
      await updateFeed(db, 'north', { candidate: id });
      expect(await fetchingOf(db, 'main', FEEDS)).toBeNull();
    });

    test('a login waits for a push to a feed, until its rows are there', async () => {
      const { db } = await openAt(await engine.place());
      await leaveNote(db, 'restored', { ...RESTORED, pushes: { south: 5 } });
      const push = async (at: number) => {
        const run = await begun(db, at, 'south');
        const file = { name: `${at}.csv`, sha256: `${at}`, bytes: 1, who: 'token supplier' };
        await insertPushed(db, { id: `p${at}`, feed: 'south', login: 'main', at, run, ...file });
        return run;
      };
      await updateRun(db, await push(4), { stage: 'compose' });
      expect(await fetchingOf(db, 'main', FEEDS)).toBe('missing');
      expect(await fetchingOf(db, 'other', FEEDS)).toBeNull();
      await addPause(db, { kind: 'feed', name: 'south', at: 9, who: 'ops', reason: 'they are gone' });
      expect(await fetchingOf(db, 'main', FEEDS)).toBeNull();
      await endPause(db, { kind: 'feed', name: 'south' });
      const earlier = await begun(db, 4, 'south');
      const run = await push(5);
      expect(await fetchingOf(db, 'main', FEEDS)).toBe('open');
      await decideRun(db, run, { ...HELD, now: 6 });
      expect(await fetchingOf(db, 'main', FEEDS)).toBe('missing');
      // One that had begun before it takes the file.
      await updateRun(db, earlier, { stage: 'compose', taken_at: 6 });
      expect(await fetchingOf(db, 'main', FEEDS)).toBeNull();
      // It is fetched now.
      const fetching = { south: { login: 'main', source: { type: 'directory' } } };
      await leaveNote(db, 'restored', { ...RESTORED, pushes: { south: 8 } });
      expect(await fetchingOf(db, 'main', fetching)).toBeNull();
    });

    test('the newest push that the backup has ends the wait when it is repeated', async () => {
      const { db } = await openAt(await engine.place());
      await leaveNote(db, 'restored', { ...RESTORED, pushes: { south: 5 } });
      await endWaitForPush(db, { feed: 'south', at: 5 });
      expect(await fetchingOf(db, 'main', FEEDS)).toBe('missing');
      await endWaitForPush(db, { feed: 'south', at: 4 });
      expect(await fetchingOf(db, 'main', FEEDS)).toBeNull();
    });
  });
}
