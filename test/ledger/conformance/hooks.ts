import { describe, expect, test } from 'vitest';
import { recordDecision } from '../../../src/ledger/alerts/audit.ts';
import { claimNotification, dueNotifications } from '../../../src/ledger/alerts/claims.ts';
import { openIncident, raise, recover, reword } from '../../../src/ledger/alerts/incidents.ts';
import { noteEvent, takeEvent, waitingEvents } from '../../../src/ledger/hooks/events.ts';
import {
  giveUpMessages,
  messageEnded,
  messageFailed,
  nextMessage,
  pruneMessages,
  queueMessage,
  replayMessages,
} from '../../../src/ledger/hooks/messages.ts';
import type { Db } from '../../../src/ledger/ledger.ts';
import { createRun, decideRun } from '../../../src/ledger/runs/runs.ts';
import { decided } from '../../support/answers.ts';
import { saying } from '../../support/reasons.ts';
import { openAt, openTwice, type Engine } from './engine.ts';

const DAY = 86_400_000;
const BROKEN = { kind: 'credentials', login: 'main' } as const;

async function eventsIn(db: Db): Promise<string[]> {
  return (await waitingEvents(db, 100)).map(({ event, seq, facts }) => {
    const change = facts.of === 'incident' && facts.change !== null ? ` ${facts.change}` : '';
    return `${event} ${seq}${change}`;
  });
}

function message(id: string, subject: string, seq: number, at = seq) {
  return { hook: 'ops', id, event: 'run.ended', subject, seq, at, body: '{}' } as const;
}

/** What hooks are to be told, and what became of it. */
export function hooksConformance(engine: Engine): void {
  describe(`hooks on ${engine.name}`, () => {
    test('an incident is told when it begins, has another reason, lasts and ends', async () => {
      const { db } = await openAt(await engine.place());
      await raise(db, { ...BROKEN, reason: saying('answered 401') }, 1000);
      await raise(db, { ...BROKEN, reason: saying('answered 403') }, 2000);
      await raise(db, { ...BROKEN, reason: { code: 'expired' } }, 3000);
      const [due] = await dueNotifications(db, 4000, DAY);
      expect(await claimNotification(db, due!, 4000)).toBe(true);
      const [reminder] = await dueNotifications(db, 4000 + DAY, DAY);
      expect(await claimNotification(db, reminder!, 4000 + DAY)).toBe(true);
      expect(await claimNotification(db, reminder!, 4000 + DAY)).toBe(false);
      await reword(db, due!.incident.id, { run: null, reason: saying('somebody is at it'), numbers: {} }, 5000 + DAY);
      await recover(db, { ...BROKEN, text: 'accepted' }, 6000 + DAY);
      await recover(db, { ...BROKEN, text: 'accepted' }, 7000 + DAY);
      expect(await eventsIn(db)).toEqual([
        'incident.opened 1',
        'incident.changed 2 reason',
        'incident.changed 3 reminder',
        'incident.changed 4 reason',
        'incident.closed 5',
      ]);
    });

    test('one that another replaces is told to be over before the other begins', async () => {
      const { db } = await openAt(await engine.place());
      await raise(db, { ...BROKEN, reason: saying('one'), cause: 'one' }, 1000);
      await raise(db, { ...BROKEN, reason: saying('two'), cause: 'two' }, 1000);
      expect(await eventsIn(db)).toEqual(['incident.opened 1', 'incident.closed 2', 'incident.opened 3']);
    });

    test('what is told is recorded with what happened, or not at all', async () => {
      const { db, transaction } = await openAt(await engine.place());
      const broken = transaction(async (trx) => {
        await raise(trx, { ...BROKEN, reason: saying('answered 401') }, 1000);
        throw new Error('the power went out');
      });
      await expect(broken).rejects.toThrow('the power went out');
      expect([await openIncident(db, BROKEN), await eventsIn(db)]).toEqual([undefined, []]);
    });

    test('runs are told when they end, but for looks that found nothing; decisions, but for refusals', async () => {
      const { db } = await openAt(await engine.place());
      const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
      const held = await createRun(db, { ...asked, now: 1000 });
      const looked = await createRun(db, { ...asked, now: 2000 });
      await decideRun(db, looked, { outcome: 'nothing', cause: 'no-file', reason: null, now: 2000 });
      const same = await createRun(db, { ...asked, now: 2000 });
      await decideRun(db, same, { outcome: 'unchanged', cause: 'same-file', reason: null, now: 2000 });
      await decideRun(db, held, { ...decided('held'), reason: null, now: 3000 });
      await decideRun(db, held, { outcome: 'nothing', cause: 'superseded', reason: null, now: 4000 });
      const older = await createRun(db, { ...asked, now: 4500 });
      await decideRun(db, older, { outcome: 'nothing', cause: 'superseded', reason: null, now: 7000 });
      const by = { who: 'jo', reason: 'x', via: 'cli', origin: null } as const;
      await recordDecision(db, { at: 5000, action: 'approve', subject: held, ...by });
      await recordDecision(db, { at: 6000, action: 'refuse', subject: held, ...by });
      const events = await waitingEvents(db, 100);
      expect(events.map(({ facts }) => facts)).toMatchObject([
        { of: 'run', run: held, outcome: 'held', before: null },
        { of: 'decision', decision: { action: 'approve', subject: held, who: 'jo' } },
        { of: 'run', run: older, outcome: 'nothing', before: null },
        { of: 'run', run: held, outcome: 'nothing', before: 'held' },
      ]);
    });

    test('events about the same that two processes record at once each have a number of their own', async () => {
      const [one, other] = await openTwice(engine);
      const facts = { of: 'dataset', login: 'main', intent: 'i', upload: null } as const;
      const note = (db: Db) => noteEvent(db, { event: 'dataset.live', subject: 'login main', at: 1000, facts });
      await Promise.all(Array.from({ length: 10 }, (_, at) => note(at % 2 === 0 ? one.db : other.db)));
      const events = await waitingEvents(one.db, 100);
      expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      const [first] = events;
      const taken = await Promise.all([takeEvent(one.db, first!.id), takeEvent(other.db, first!.id)]);
      expect(taken.filter(Boolean)).toHaveLength(1);
    });

    test('a message waits for the one before it about the same, and for its time', async () => {
      const { db } = await openAt(await engine.place());
      await queueMessage(db, message('a1', 'a', 1));
      await queueMessage(db, message('a2', 'a', 2));
      await queueMessage(db, message('a2', 'a', 2));
      await queueMessage(db, message('b1', 'b', 1, 3));
      const next = async (now: number) => (await nextMessage(db, 'ops', now))?.id;
      expect(await next(1000)).toBe('a1');
      await messageFailed(db, { hook: 'ops', id: 'a1', tries: 0 }, { error: 'answered 422', nextAt: 5000 });
      expect(await next(1000)).toBe('b1');
      await messageEnded(db, { hook: 'ops', id: 'b1' }, 'sent', 1000);
      expect(await next(1000)).toBeUndefined();
      expect(await next(5000)).toBe('a1');
      // A clock that was set back makes nothing wait for days.
      expect(await next(5000 - 2 * DAY)).toBe('a1');
      expect(await giveUpMessages(db, 'ops', { before: 1, error: 'x', now: 6000 })).toBe(1);
      expect(await next(1000)).toBe('a2');
      expect(await replayMessages(db, 'ops', null, 7000)).toBe(1);
      expect(await next(7000)).toBe('a1');
    });

    test('what is told after its messages are forgotten counts on, of incidents, logins and runs', async () => {
      const { db } = await openAt(await engine.place());
      const facts = { of: 'dataset', login: 'main', intent: 'i', upload: null } as const;
      const note = (subject: string) => noteEvent(db, { event: 'dataset.live', subject, at: 9000, facts });
      for (const seq of [1, 2, 3]) {
        await queueMessage(db, { ...message(`i${seq}`, 'an incident', seq), event: 'incident.changed' });
        await messageEnded(db, { hook: 'ops', id: `i${seq}` }, 'sent', seq * 1000);
      }
      await queueMessage(db, message('r1', 'run a', 1));
      await messageEnded(db, { hook: 'ops', id: 'r1' }, 'sent', 1000);
      await queueMessage(db, { ...message('d1', 'decision x', 1), event: 'decision.made' });
      await messageEnded(db, { hook: 'ops', id: 'd1' }, 'sent', 1000);
      await pruneMessages(db, 3000);
      expect(await db.selectFrom('hook_messages').select('id').execute()).toEqual([]);
      // One that was replayed and is forgotten late does not set the count back.
      await queueMessage(db, { ...message('i1', 'an incident', 1), event: 'incident.changed' });
      await messageEnded(db, { hook: 'ops', id: 'i1' }, 'sent', 4000);
      await pruneMessages(db, 4000);
      await note('an incident');
      await note('run a');
      await note('run a');
      const events = await waitingEvents(db, 100);
      expect(events.map(({ subject, seq }) => `${subject} ${seq}`).toSorted()).toEqual([
        'an incident 4',
        'run a 2',
        'run a 3',
      ]);
      const counts = await db.selectFrom('hook_counts').select('subject').orderBy('subject').execute();
      expect(counts.map(({ subject }) => subject)).toEqual(['an incident', 'run a']);
    });

    test('what ended long ago is forgotten, what is open is not', async () => {
      const { db } = await openAt(await engine.place());
      await queueMessage(db, message('a1', 'a', 1));
      await queueMessage(db, message('b1', 'b', 1));
      await messageEnded(db, { hook: 'ops', id: 'a1' }, 'sent', 1000);
      await pruneMessages(db, 1000);
      const left = await db.selectFrom('hook_messages').select('id').execute();
      expect(left).toEqual([{ id: 'b1' }]);
    });
  });
}
