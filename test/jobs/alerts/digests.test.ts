import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { notifyOfDigests } from '../../../src/jobs/alerts/digests.ts';
import { sendMails } from '../../../src/jobs/alerts/send-mails.ts';
import { raise } from '../../../src/ledger/alerts/incidents.ts';
import { noteDelivery } from '../../../src/ledger/runs/deliveries.ts';
import { feedState } from '../../../src/ledger/runs/feeds.ts';
import { addPause } from '../../../src/ledger/runs/pauses.ts';
import { createRun, decideRun } from '../../../src/ledger/runs/runs.ts';
import { createIntent, updateIntent } from '../../../src/ledger/uploads/intents.ts';
import { createAttempt, updateUpload } from '../../../src/ledger/uploads/uploads.ts';
import type { Outcome } from '../../../src/model.ts';
import { openMail } from '../../../src/notify/transport.ts';
import { DATASET } from '../../ledger/conformance/intend.ts';
import { decided, rowCounts } from '../../support/answers.ts';
import { saying } from '../../support/reasons.ts';
import { contextFor } from '../../upload/upload-world.ts';

/** A Monday. */
const START = Date.UTC(2026, 4, 4, 6, 30, 0);
const HOUR = 3_600_000;
const source = { type: 'directory', path: '.' };
const FEEDS = {
  north: { login: 'main', source, supplier: { name: 'Nord GmbH' }, expectEvery: '1d' },
  south: { login: 'main', source, supplier: { name: 'Süd AG' } },
  east: { login: 'main', source },
};
const BOSS = { email: 'boss@example.com', when: ['daily'] };

/** An installation whose clock stands still until a test moves it, with the digests that were mailed so far. */
async function world(managers: object[], settings: { mail?: object; feeds?: object } = {}) {
  const opened = await contextFor('http://127.0.0.1:9', { feeds: FEEDS, managers, ...settings });
  let now = START;
  const ctx: Context = { ...opened, clock: { ...opened.clock, now: () => now } };
  const outbox = join(ctx.home, 'outbox');
  return {
    ctx,
    at: (hours: number) => (now = START + hours * HOUR),
    /** What a sweep does about digests. */
    sweep: async () => {
      await notifyOfDigests(ctx);
      await sendMails(ctx);
    },
    mails: async () => {
      const names = readdirSync(ctx.home).includes('outbox') ? readdirSync(outbox) : [];
      const mails = await Promise.all(
        names.toSorted().map((name) => PostalMime.parse(readFileSync(join(outbox, name)))),
      );
      return mails.map(({ subject, to, text }) => ({ subject, to: to?.[0]?.address, text: text ?? '' }));
    },
  };
}

type World = Awaited<ReturnType<typeof world>>;

type Proved = { live: number; read?: number; rejected?: number; leftOut?: number };

/** An upload that was proved now, with what is live of each feed. */
async function proved({ ctx }: World, live: Record<string, Proved>) {
  const { db } = ctx.ledger;
  const now = ctx.clock.now();
  const parts = Object.keys(live).map((feed) => ({ feed, run: 'run', rows: 1, outranked: 0 }));
  const intent = await createIntent(db, { login: 'main', ...DATASET, parts }, now);
  const { id } = await createAttempt(db, intent, 1, now);
  await updateUpload(db, id, { state: 'success', closed_at: now, offer_id: `${now}` });
  const accounts = Object.fromEntries(
    Object.entries(live).map(([feed, { live: rows, read = rows, rejected = 0, leftOut = 0 }]) => [
      feed,
      account(rows, read, rejected, leftOut),
    ]),
  );
  await updateIntent(db, intent.id, { result: 'met', closed_at: now, accounts });
}

function account(live: number, read: number, rejectedLocally: number, leftOut: number) {
  const accepted = read - rejectedLocally - leftOut;
  return rowCounts({ read, accepted, rejectedLocally, leftOut, contributed: accepted, live });
}

async function ran({ ctx }: World, feed: string, outcome: Outcome) {
  const asked = { feed, login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
  const id = await createRun(ctx.ledger.db, { ...asked, now: ctx.clock.now() });
  await decideRun(ctx.ledger.db, id, { ...decided(outcome), reason: null, now: ctx.clock.now() });
}

async function delivered({ ctx }: World, feed: string) {
  await feedState(ctx.ledger.db, feed, 'main');
  const arrival = { feed, login: 'main', name: 'n.csv', fingerprint: `${ctx.clock.now()}` };
  await noteDelivery(ctx.ledger.db, arrival, ctx.clock.now());
}

test('how each supplier stands when the digest is written, the worst first; runs as numbers', async () => {
  const shop = await world([{ ...BOSS, feeds: ['north', 'south'] }]);
  shop.at(-7 * 24);
  await proved(shop, { north: { live: 900 }, south: { live: 50 } });
  shop.at(-12);
  await proved(shop, { north: { live: 1201 }, south: { live: 50 } });
  await delivered(shop, 'north');
  await delivered(shop, 'south');
  shop.at(20);
  await proved(shop, { north: { live: 600, read: 1201, rejected: 601 }, south: { live: 50 } });
  for (const outcome of ['live', 'unchanged', 'unchanged', 'nothing'] as const) await ran(shop, 'north', outcome);
  await ran(shop, 'east', 'held');
  await raise(
    shop.ctx.ledger.db,
    { kind: 'missing-delivery', login: 'main', feed: 'east', reason: saying('nothing came') },
    START,
  );
  await shop.sweep();
  expect(await shop.mails()).toEqual([]);

  shop.at(23.5);
  for (let sweep = 0; sweep < 3; sweep++) await shop.sweep();
  const [mail, ...others] = await shop.mails();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('1 of 2 suppliers needs attention');
  expect(mail?.text.replaceAll('\r', '')).toContain(`As of 5 May 2026 at 06:00 UTC.

Need attention, the worst first:
- Nord GmbH: 600 parts online [##########xxxxxxxxxx]
  The delivery is overdue. Ask the supplier for the file.
  −601 since yesterday · −300 since last week · 601 rows rejected (50%) · overdue: last delivery 35 hours ago (expected every 24 hours)

All in order:
- Süd AG: 50 parts online [####################]
  ±0 since yesterday · ±0 since last week · no rows rejected · last delivery 35 hours ago
`);
  expect(mail?.text).toContain('4 runs since 4 May 2026 at 06:00 UTC: 2 unchanged');
  // East is not watched.
  expect(mail?.text).toContain('Nothing is wrong at the moment');
});

test('a weekly digest says how many rows of each file rules left out', async () => {
  const shop = await world([{ email: 'boss@example.com', when: ['weekly'], feeds: ['north', 'south'] }]);
  shop.at(-12);
  await proved(shop, { north: { live: 1189, read: 1201, leftOut: 12 }, south: { live: 50 } });
  await shop.sweep();
  // The next Monday.
  shop.at(7 * 24);
  await shop.sweep();
  const [mail, ...others] = await shop.mails();
  expect(others).toEqual([]);
  const text = mail?.text.replaceAll('\r', '') ?? '';
  expect(text).toMatch(/- Nord GmbH: 1,189 parts online .*\n.*no rows rejected · 12 rows left out by our rules · /u);
  expect(text.match(/left out by our rules/gu)).toHaveLength(1);
});

test('what may not be online is not said to be', async () => {
  const shop = await world([BOSS]);
  shop.at(-12);
  await proved(shop, { north: { live: 12 } });
  await raise(
    shop.ctx.ledger.db,
    { kind: 'foreign-upload', login: 'main', reason: saying('somebody else uploaded') },
    START,
  );
  shop.at(0);
  await shop.sweep();
  const [mail] = await shop.mails();
  expect(mail?.subject).toBe('3 of 3 suppliers need attention');
  expect(mail?.text.replaceAll('\r', '')).toContain(
    '- Nord GmbH: not certain what is online\n  Somebody else changed the offer. Find out with your offerline administrator',
  );
});

test('missed digests are caught up by one, which counts the runs since the last; the first is never late', async () => {
  const shop = await world([BOSS]);
  shop.at(3);
  await shop.sweep();
  expect(await shop.mails()).toEqual([]);
  shop.at(23.5);
  await shop.sweep();
  shop.at(30);
  await ran(shop, 'north', 'live');
  shop.at(23.5 + 3 * 24 + 5);
  await shop.sweep();
  await shop.sweep();
  const [, later, ...others] = await shop.mails();
  expect(others).toEqual([]);
  expect(later?.text).toContain('As of 8 May 2026 at 11:00 UTC.');
  expect(later?.text).toContain('1 run since 5 May 2026 at 06:00 UTC: 1 online');
});

test('of digests that wait for the mail server, the newest is sent', async () => {
  const shop = await world([BOSS]);
  const there = shop.ctx.mail;
  const away = await openMail({ smtpUrl: 'smtp://127.0.0.1:1', outbox: '' });
  shop.ctx.mail = () => Promise.resolve(away);
  for (const day of [0, 1, 2]) {
    shop.at(day * 24 - 0.5);
    await shop.sweep();
  }
  shop.ctx.mail = there;
  shop.at(2 * 24 + 2);
  await shop.sweep();
  const mails = await shop.mails();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain('As of 6 May 2026 at 08:30 UTC.');
});

test('of several workers one sends it, and each address gets one', async () => {
  const shop = await world([BOSS, { ...BOSS, email: 'Boss@example.com' }, { ...BOSS, email: 'b@example.com' }]);
  shop.at(-0.5);
  await Promise.all(Array.from({ length: 8 }, () => shop.sweep()));
  expect(new Set((await shop.mails()).map(({ to }) => to))).toEqual(new Set(['b@example.com', 'boss@example.com']));
  expect(await shop.mails()).toHaveLength(2);
});

test('in the reader’s language and time zone, at the time of the setting', async () => {
  const daily = { at: '08:15', timezone: 'Europe/Berlin' };
  const managers = [BOSS, { ...BOSS, email: 'ru@example.com', language: 'ru' }];
  const shop = await world(managers, { mail: { daily, language: 'de' } });
  shop.at(-0.3);
  await shop.sweep();
  expect(await shop.mails()).toEqual([]);
  shop.at(-0.25);
  await shop.sweep();
  const texts = new Map((await shop.mails()).map(({ to, text }) => [to, text]));
  expect(texts.get('boss@example.com')).toContain('Stand: 4. Mai 2026 um 08:15 MESZ.');
  expect(texts.get('ru@example.com')).toContain('По состоянию на 4 мая 2026');
});

test('weekly: on its day, once a week, also for those who get the daily one', async () => {
  const weekly = { day: 'wednesday', at: '07:00', timezone: 'Europe/Berlin' };
  const shop = await world([{ ...BOSS, when: ['daily', 'weekly'] }], { mail: { weekly } });
  for (const day of Array.from({ length: 10 }, (_, n) => n)) {
    for (const hour of [5, 6]) {
      shop.at(day * 24 + hour - 6.5);
      await shop.sweep();
    }
  }
  const weeks = (await shop.mails()).filter(({ subject }) => subject?.startsWith('Week: '));
  expect(weeks.map(({ text }) => /As of [^.]+/.exec(text)?.[0])).toEqual([
    'As of 6 May 2026 at 07:00 CEST',
    'As of 13 May 2026 at 07:00 CEST',
  ]);
  expect((await shop.mails()).filter(({ subject }) => !subject?.startsWith('Week: '))).toHaveLength(10);
});

test('two feeds with one name are told apart', async () => {
  const both = { login: 'main', source, supplier: { name: 'Nord GmbH' } };
  const shop = await world([BOSS], { feeds: { one: both, two: both } });
  shop.at(-0.5);
  await shop.sweep();
  const [mail] = await shop.mails();
  expect(mail?.text).toContain('Nord GmbH (one)');
  expect(mail?.text).toContain('Nord GmbH (two)');
});

test('what people paused is not late, and is said to be paused', async () => {
  const shop = await world([{ ...BOSS, feeds: ['north', 'south'] }]);
  shop.at(-48);
  await proved(shop, { north: { live: 12 }, south: { live: 50 } });
  await delivered(shop, 'north');
  await addPause(shop.ctx.ledger.db, { kind: 'feed', name: 'north', at: START - HOUR, who: 'ann', reason: 'holidays' });
  shop.at(-0.5);
  await shop.sweep();
  const [mail] = await shop.mails();
  expect(mail?.subject).toBe('All 2 suppliers are in order');
  expect(mail?.text).toContain('last delivery 47 hours ago (expected every 24 hours) · paused since 4 May 2026');
});

test('where somebody is ops, managers do not read of the business of ops that they were not told of', async () => {
  const ops = { ...BOSS, email: 'ops@example.com', audience: 'ops' };
  const shop = await world([BOSS, ops]);
  shop.at(-12);
  await proved(shop, { north: { live: 12 }, south: { live: 5 }, east: { live: 5 } });
  const denied = { kind: 'credentials', login: 'main', reason: saying('answered 401') } as const;
  await raise(shop.ctx.ledger.db, denied, START - HOUR);
  shop.at(-0.5);
  await shop.sweep();
  const mails = new Map((await shop.mails()).map((mail) => [mail.to, mail]));
  expect(mails.get('boss@example.com')?.subject).toBe('All 3 suppliers are in order');
  expect(mails.get('ops@example.com')?.subject).toBe('3 of 3 suppliers need attention');
  expect(mails.get('ops@example.com')?.text).toContain(
    'login main: the service rejects the credentials — answered 401',
  );
});
