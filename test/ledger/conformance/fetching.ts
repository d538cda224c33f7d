import { describe, expect, test } from 'vitest';
import { leaveNote, type RestoreNote } from '../../../src/ledger/alerts/notes.ts';
import type { Db } from '../../../src/ledger/ledger.ts';
import { fetchingOf } from '../../../src/ledger/maintenance/fetching.ts';
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
  const atFirst = await fetchingOf(db, 'main');
  for (const [at, decision] of ended.entries()) {
    const id = at === 0 ? first : await begun(db, at);
    if (decision === null) await updateRun(db, id, { stage: 'compose' });
    else await decideRun(db, id, { ...decision, now: at });
  }
  return { db, id: first, atFirst };
}

async function begun(db: Db, now: number): Promise<string> {
  return createRun(db, { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false, now });
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
      expect(await fetchingOf(db, 'main')).toBe(waits);
    });

    test('a pause of the feed ends the wait, and so do rows that wait under a run that was answered in time', async () => {
      const { db, id } = await fetched(engine, [FAILED]);
      await addPause(db, { kind: 'feed', name: 'north', at: 9, who: 'ops', reason: 'they are gone' });
      expect(await fetchingOf(db, 'main')).toBeNull();
      await endPause(db, { kind: 'feed', name: 'north' });
      expect(await fetchingOf(db, 'main')).toBe('missing');
      await feedState(db, 'north', 'main');
      await updateFeed(db, 'north', { candidate: id });
      expect(await fetchingOf(db, 'main')).toBeNull();
    });
  });
}
