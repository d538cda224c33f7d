import { referencesTo } from '../../../src/ledger/maintenance/references.ts';
import { expect, test } from 'vitest';
import {
  claimMail,
  digestId,
  hurryMails,
  mailFailed,
  mailSent,
  failingMails,
  mailsOf,
  mailsToSend,
  queuedMails,
  queueMail,
} from '../../../src/ledger/alerts/mails.ts';
import { createRun } from '../../../src/ledger/runs/runs.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { openAt, openTwice, type Engine } from './engine.ts';

const NOW = Date.UTC(2026, 4, 4, 6, 0, 0);
const DAY = 86_400_000;

async function queueOne({ db }: Ledger, id = 'm1'): Promise<string> {
  const asked = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  const run = await createRun(db, { ...asked, now: NOW });
  await queueMail(db, { id, recipient: 'brakes@example.com', about: { of: 'run', run, outcome: 'held' } }, NOW);
  return run;
}

/** What every ledger promises about mails. */
export function mailsConformance(engine: Engine): void {
  const { name, place } = engine;
  const ids = async ({ db }: Ledger, now: number) => (await mailsToSend(db, now)).map(({ id }) => id);

  test(`${name}: a mail is decided once, and to be sent until it was`, async () => {
    const ledger = await openAt(await place());
    const run = await queueOne(ledger);
    const again = { id: 'm1', recipient: 'brakes@example.com', about: { of: 'run', run, outcome: 'held' } } as const;
    expect(await queueMail(ledger.db, again, NOW + 1)).toBe(false);
    expect(await ids(ledger, NOW)).toEqual(['m1']);
    await mailSent(ledger.db, 'm1', 'outbox/m1.eml', 'a'.repeat(64));
    expect(await ids(ledger, NOW + DAY)).toEqual([]);
    expect(await mailsOf(ledger.db, [run])).toMatchObject([{ run, at: NOW, sent_to: 'outbox/m1.eml' }]);
    expect(await mailsOf(ledger.db, [])).toEqual([]);
    expect(await referencesTo(ledger.db, 'a'.repeat(64))).toMatchObject([{ kind: 'mail', owner: 'm1', feed: 'north' }]);
  });

  test(`${name}: of workers that want to send a mail at once, one does; a killed one leaves it to others`, async () => {
    const ledgers = await openTwice(engine);
    await queueOne(ledgers[0]);
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, n) => claimMail(ledgers[n % 2 === 0 ? 0 : 1].db, 'm1', NOW)),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await ids(ledgers[1], NOW + 60_000)).toEqual([]);
    expect(await ids(ledgers[1], NOW + 120_000)).toEqual(['m1']);
    expect(await claimMail(ledgers[1].db, 'm1', NOW + 120_000)).toBe(true);
    // As after a clock that was set back by a day.
    expect(await claimMail(ledgers[1].db, 'm1', NOW - 86_400_000)).toBe(true);
  });

  test(`${name}: what could not be sent waits, or is given up until a person asks again`, async () => {
    const ledger = await openAt(await place());
    const run = await queueOne(ledger);
    await queueOne(ledger, 'm2');
    await mailFailed(ledger.db, 'm1', 'no such mailbox', { givenUpAt: NOW });
    await mailFailed(ledger.db, 'm2', 'connect ECONNREFUSED', { nextAt: NOW + 5 });
    expect(await ids(ledger, NOW + 4)).toEqual([]);
    expect(await ids(ledger, NOW + 5)).toEqual(['m2']);
    expect(await failingMails(ledger.db, NOW - 1)).toMatchObject({
      waiting: [{ id: 'm2', error: 'connect ECONNREFUSED' }],
      givenUp: [{ id: 'm1', error: 'no such mailbox' }],
    });
    expect((await failingMails(ledger.db, NOW)).givenUp).toEqual([]);
    await hurryMails(ledger.db, run);
    expect(await ids(ledger, NOW)).toEqual(['m1']);
  });

  test(`${name}: which mails were ever queued is known by their ids, also when they were sent`, async () => {
    const { db } = await openAt(await place());
    expect(await queuedMails(db, [])).toEqual(new Set());
    const about = { of: 'week', day: '2026-05-04', from: NOW - DAY, to: NOW } as const;
    const id = digestId('weekly', '2026-05-04', 'Boss@example.com');
    await queueMail(db, { id, recipient: 'Boss@example.com', about }, NOW);
    await mailSent(db, id, 'outbox/m1.eml', null);
    const daily = digestId('daily', '2026-05-04', 'boss@example.com');
    expect(await queuedMails(db, [daily, digestId('weekly', '2026-05-04', 'boss@example.com')])).toEqual(new Set([id]));
  });
}
