import { describe, expect, test } from 'vitest';
import { recordDecision } from '../../../src/ledger/alerts/audit.ts';
import { addAbsence, listAbsences, revokeAbsence } from '../../../src/ledger/expected/absences.ts';
import { arrivalsSince, lastArrivalsBefore } from '../../../src/ledger/expected/arrivals.ts';
import { pastPauses } from '../../../src/ledger/expected/past-pauses.ts';
import type { Db } from '../../../src/ledger/ledger.ts';
import { addPause } from '../../../src/ledger/runs/pauses.ts';
import { createRun, decideRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { decided } from '../../support/answers.ts';
import { openAt, type Engine } from './engine.ts';

const NOW = Date.UTC(2026, 4, 4, 6);
const DAY = 86_400_000;
const CHRISTMAS = { feed: 'north', first_day: '2026-12-24', last_day: '2027-01-06' };
const SAID = { at: NOW, who: 'ann', reason: 'closed' };

/** A run that brought a file. */
async function delivered(db: Db, day: number, sha: string, options: object = {}): Promise<string> {
  const at = NOW + day * DAY;
  const id = await createRun(db, { feed: 'north', login: 'main', cause: 'schedule', options, sandbox: false, now: at });
  const checkpoint = { origin: 'o', name: `${sha}.csv`, size: 5, sha256: sha, mtimeMs: 7 };
  await updateRun(db, id, { delivery_sha: sha, taken_at: at + 5, checkpoint });
  await decideRun(db, id, { ...decided('held'), reason: null, now: at + 9 });
  return id;
}

/** What is known of when suppliers deliver and when they do not. */
export function expectedConformance(engine: Engine): void {
  describe(`what is expected, on ${engine.name}`, () => {
    test('days of absence are recorded once, listed for their feed, and can be taken back', async () => {
      const { db } = await openAt(await engine.place());
      expect(await addAbsence(db, { ...CHRISTMAS, ...SAID })).toBe(true);
      expect(await addAbsence(db, { ...CHRISTMAS, ...SAID })).toBe(false);
      expect(await addAbsence(db, { ...CHRISTMAS, feed: '__proto__', ...SAID })).toBe(true);
      expect(await addAbsence(db, { ...CHRISTMAS, first_day: '2026-08-03', last_day: '2026-08-14', ...SAID })).toBe(
        true,
      );
      expect(await listAbsences(db, ['north', 'south'])).toMatchObject([
        { first_day: '2026-08-03', ...SAID },
        { first_day: '2026-12-24', last_day: '2027-01-06' },
      ]);
      expect(await listAbsences(db, [])).toEqual([]);
      expect(await revokeAbsence(db, CHRISTMAS, NOW + 1)).toBe(true);
      expect(await revokeAbsence(db, CHRISTMAS, NOW + 1)).toBe(false);
      expect(await listAbsences(db, ['north'])).toHaveLength(1);
      expect(await addAbsence(db, { ...CHRISTMAS, ...SAID, at: NOW + 2 })).toBe(true);
    });

    test('pauses that are over are known by their decisions, and those that last', async () => {
      const { db } = await openAt(await engine.place());
      const decide = (action: 'pause' | 'resume', subject: string, day: number) =>
        recordDecision(db, { at: NOW + day * DAY, who: 'ann', action, subject, reason: 'x', via: 'cli', origin: null });
      await decide('resume', 'login main', 0);
      await decide('pause', 'feed north', 1);
      await decide('pause', 'login my main', 2);
      await decide('resume', 'feed north', 3);
      await decide('resume', 'login my main', 4);
      await decide('pause', 'feed north', 5);
      await addPause(db, { kind: 'feed', name: 'north', at: NOW + 5 * DAY, who: 'ann', reason: 'x' });
      expect(await pastPauses(db)).toEqual([
        { kind: 'feed', name: 'north', from: NOW + DAY, to: NOW + 3 * DAY },
        { kind: 'login', name: 'my main', from: NOW + 2 * DAY, to: NOW + 4 * DAY },
        { kind: 'feed', name: 'north', from: NOW + 5 * DAY, to: Infinity },
      ]);
    });

    test('a file arrives once, however often it is met or read again', async () => {
      const { db } = await openAt(await engine.place());
      const first = await delivered(db, -40, 'a1');
      await delivered(db, -20, 'a1');
      const second = await delivered(db, -10, 'b2');
      await delivered(db, -9, 'b2', { of: second, from: 'validate' });
      const third = await delivered(db, -8, 'c3', { of: second, from: 'pull' });
      const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
      await createRun(db, { ...asked, now: NOW - DAY });
      const since = async (day: number, feeds: string[] | null = ['north']) =>
        ((await arrivalsSince(db, feeds, NOW + day * DAY)).get('north') ?? []).map(({ run }) => run);
      expect(await since(-50)).toEqual([first, second, third]);
      expect(await since(-50, null)).toEqual([first, second, third]);
      // The file of before is no news.
      expect(await since(-30)).toEqual([second, third]);
      expect(await since(-50, ['south'])).toEqual([]);
      expect(await since(-50, [])).toEqual([]);
      expect((await arrivalsSince(db, ['north'], NOW - 15 * DAY)).get('north')?.[0]).toEqual({
        feed: 'north',
        run: second,
        at: NOW - 10 * DAY + 5,
        outcome: 'held',
        read: null,
      });
      expect((await lastArrivalsBefore(db, NOW - 15 * DAY)).get('north')).toBe(NOW - 20 * DAY + 5);
    });
  });
}
