import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { notifyOfScorecards } from '../../../src/jobs/alerts/scorecards.ts';
import { sendMails } from '../../../src/jobs/alerts/send-mails.ts';
import { lastArrivalsBefore } from '../../../src/ledger/expected/arrivals.ts';
import { createRun, decideRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { decided } from '../../support/answers.ts';
import { contextFor } from '../../upload/upload-world.ts';

const source = { type: 'directory', path: '.' };
const FEEDS = { north: { login: 'main', source, supplier: { name: 'Nord GmbH' } }, south: { login: 'main', source } };
const BOSS = { email: 'boss@example.com', when: ['monthly'] };

/** An installation whose clock a test sets, with the scorecards that were mailed so far. */
async function world(managers: object[], timezone = 'UTC') {
  const mail = { daily: { at: '06:00', timezone } };
  const opened = await contextFor('http://127.0.0.1:9', { feeds: FEEDS, managers, mail });
  let now = 0;
  const ctx: Context = { ...opened, clock: { ...opened.clock, now: () => now } };
  const outbox = join(ctx.home, 'outbox');
  return {
    ctx,
    sweepAt: async (time: string) => {
      now = Date.parse(time);
      await Promise.all([notifyOfScorecards(ctx), notifyOfScorecards(ctx)]);
      await sendMails(ctx);
    },
    deliverAt: async (time: string, feed: string) => {
      const at = Date.parse(time);
      const id = await createRun(ctx.ledger.db, {
        feed,
        login: 'main',
        cause: 'schedule',
        options: {},
        sandbox: false,
        now: at,
      });
      await decideRun(ctx.ledger.db, id, { ...decided('live'), reason: null, now: at });
    },
    mails: async () => {
      const names = readdirSync(ctx.home).includes('outbox') ? readdirSync(outbox) : [];
      return Promise.all(names.toSorted().map((name) => PostalMime.parse(readFileSync(join(outbox, name)))));
    },
  };
}

test('on the first of a month, at the time of the daily mail, once, about the month before', async () => {
  const shop = await world([BOSS, { email: 'daily@example.com', when: ['daily'] }]);
  for (const day of ['03', '10', '17']) await shop.deliverAt(`2026-04-${day}T05:00:00Z`, 'north');
  await shop.sweepAt('2026-05-01T05:59:00Z');
  expect(await shop.mails()).toEqual([]);
  for (const time of ['2026-05-01T06:00:00Z', '2026-05-01T06:30:00Z', '2026-05-20T06:00:00Z']) await shop.sweepAt(time);
  const [mail, ...others] = await shop.mails();
  expect(others).toEqual([]);
  expect(mail?.to?.[0]?.address).toBe('boss@example.com');
  expect(mail?.subject).toBe('Suppliers from 1 April 2026 to 1 May 2026');
  expect(mail?.text).toMatch(/1\. Nord GmbH: .*\n.*Deliveries 3/);
  expect(mail?.attachments.map(({ filename }) => filename)).toEqual(['scorecard-2026-05-01.csv']);
  await shop.sweepAt('2026-06-01T06:00:00Z');
  expect(await shop.mails()).toHaveLength(2);
});

test('one that was missed is made up for; a new recipient gets the next', async () => {
  const shop = await world([BOSS]);
  await shop.sweepAt('2026-04-12T06:00:00Z');
  expect(await shop.mails()).toEqual([]);
  await shop.sweepAt('2026-05-01T06:00:00Z');
  await shop.sweepAt('2026-06-09T22:00:00Z');
  expect((await shop.mails()).map(({ subject }) => subject)).toEqual([
    'Suppliers from 1 April 2026 to 1 May 2026',
    'Suppliers from 1 May 2026 to 1 June 2026',
  ]);
});

test('in the time zone and language of the reader, about the suppliers that they watch, with the rank among all', async () => {
  const shop = await world([{ ...BOSS, feeds: ['south'], language: 'de' }], 'Europe/Berlin');
  for (const day of ['03', '10', '17']) {
    await shop.deliverAt(`2026-03-${day}T05:00:00Z`, 'north');
    await shop.deliverAt(`2026-03-${day}T06:00:00Z`, 'south');
  }
  // The clocks changed in between: six in the morning is four o'clock UTC by now.
  await shop.sweepAt('2026-04-01T03:59:00Z');
  expect(await shop.mails()).toEqual([]);
  await shop.sweepAt('2026-04-01T04:00:00Z');
  const [mail] = await shop.mails();
  expect(mail?.subject).toBe('Lieferanten vom 1. März 2026 bis 1. April 2026');
  expect(mail?.text).toMatch(/1\. south: /);
  expect(mail?.text).not.toContain('Nord GmbH');
});

test('polls that met the same file are no deliveries: the wait before the period counts', async () => {
  const shop = await world([BOSS]);
  const polled = async (time: string, outcome: 'live' | 'unchanged') => {
    const at = Date.parse(time);
    const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
    const id = await createRun(shop.ctx.ledger.db, { ...asked, now: at });
    const reason =
      outcome === 'live' ? null : ({ code: 'same-file', missing: null, uncertain: null, unseenSince: null } as const);
    await updateRun(shop.ctx.ledger.db, id, { delivery_sha: 'a'.repeat(64) });
    await decideRun(shop.ctx.ledger.db, id, { ...decided(outcome), reason, now: at });
  };
  await polled('2026-03-20T05:00:00Z', 'live');
  await polled('2026-03-31T05:00:00Z', 'unchanged');
  const last = await lastArrivalsBefore(shop.ctx.ledger.db, Date.parse('2026-04-01T06:00:00Z'));
  expect(last.get('north')).toBe(Date.parse('2026-03-20T05:00:00Z'));
});
