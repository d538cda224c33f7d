import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { giveIncident, noteIncident, quietIncident, takeIncident } from '../../../src/jobs/decisions/incident/work.ts';
import { gatherDigest } from '../../../src/jobs/alerts/digest-facts.ts';
import { peopleNow, workOf } from '../../../src/jobs/alerts/people.ts';
import { readerOf } from '../../../src/jobs/alerts/write-mail.ts';
import { reportRun } from '../../../src/jobs/run/report-stage.ts';
import { insertUser, updateUser } from '../../../src/ledger/access/users.ts';
import { openIncident, raise, recover, type Raise } from '../../../src/ledger/alerts/incidents.ts';
import { recordDecision } from '../../../src/ledger/alerts/audit.ts';
import type { Context } from '../../../src/context.ts';
import { noteDelivery } from '../../../src/ledger/runs/deliveries.ts';
import { feedState } from '../../../src/ledger/runs/feeds.ts';
import { createRun, decideRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { buildDigestMail } from '../../../src/notify/digest/mail.ts';
import { openLanguage } from '../../../src/wording/language/language.ts';
import { workSentences } from '../../../src/wording/managers/work-words.ts';
import { decided } from '../../support/answers.ts';
import { found, saying } from '../../support/reasons.ts';
import { mailWorld, START, type MailWorld } from './mail-world.ts';

const BOSS = { email: 'boss@example.com', when: ['problem', 'recovered'] };
const FROZEN: Raise = { kind: 'frozen-feed', login: 'main', feed: 'north', reason: saying('a rollback') };
const EXPIRY: Raise = { kind: 'expiry', login: 'main', feed: 'north', reason: { code: 'expired' } };

/** An open incident that was announced to the boss; anna is a user with an address. */
async function announced(managers: object[] = [BOSS]) {
  const shop = await mailWorld(managers);
  const { db } = shop.ctx.ledger;
  const times = { created_at: START, changed_at: START, disabled_at: null };
  const user = { role: 'ops', language: null, password: 'x', ...times } as const;
  await insertUser(db, { name: 'anna', email: 'anna@example.com', ...user });
  await insertUser(db, { name: 'dora', email: null, ...user });
  await feedState(db, 'north', 'main');
  await raise(db, FROZEN, START);
  await shop.tell();
  const { id } = (await openIncident(db, FROZEN))!;
  return { ...shop, db, id, sent: sentSince(shop) };
}

/** What was mailed since it was asked last, as `address: subject`. */
function sentSince(shop: MailWorld) {
  const seen = new Set<string>();
  const news = (names: string[]) => names.filter((name) => !seen.has(name) && seen.add(name));
  const outbox = () => readdirSync(shop.outbox).toSorted();
  news(outbox());
  return async () => {
    await shop.tell();
    const files = news(outbox());
    const mails = await Promise.all(files.map((file) => PostalMime.parse(readFileSync(join(shop.outbox, file)))));
    return mails.map(({ to, subject }) => `${to?.[0]?.address}: ${subject}`).toSorted();
  };
}

function by(as: string) {
  return { who: 'root', via: 'cli', origin: null, as } as const;
}

const REMINDED = 'Still open – north: new deliveries are stopped';

/** The addresses that got a mail. */
function addresses(sent: string[]): string[] {
  return sent.map((one) => one.split(':')[0]!);
}

test('while somebody has it only they are reminded, and everybody when nothing was done for a day', async () => {
  const { ctx, id, at, sent, mails } = await announced();
  at(10);
  await takeIncident(id, {}, by('anna'), ctx);
  at(24);
  expect(addresses(await sent())).toEqual([]);
  at(33.9);
  expect(addresses(await sent())).toEqual([]);
  at(34);
  expect(addresses(await sent())).toEqual(['anna@example.com', 'boss@example.com']);
  const toBoss = (await mails()).find(({ to, subject }) => to === 'boss@example.com' && subject?.startsWith('Still'));
  expect(toBoss?.text).toMatch(/anna has had this since .*16:30.*, and nothing has happened for a day\./u);
  at(40);
  await noteIncident(id, 'called them', by('anna'), ctx);
  at(58);
  expect(addresses(await sent())).toEqual(['anna@example.com']);
  const toAnna = (await mails()).filter(({ to }) => to === 'anna@example.com').map(({ text }) => text);
  expect(toAnna.some((text) => text?.includes('anna has been working on this since'))).toBe(true);
});

const DECIDER = { who: 'root', via: 'cli', origin: null } as const;

const asked = (ctx: Context) =>
  ({ feed: 'north', login: 'main', options: {}, sandbox: false, now: ctx.clock.now() }) as const;

test.each<[string, (shop: Awaited<ReturnType<typeof announced>>) => Promise<unknown>, string[]]>([
  [
    'a decision about its feed',
    ({ ctx, db }) =>
      recordDecision(db, { ...DECIDER, at: ctx.clock.now(), action: 'pause', subject: 'feed north', reason: 'x' }),
    [],
  ],
  [
    'ingest of a timer',
    ({ ctx, db }) =>
      recordDecision(db, { ...DECIDER, at: ctx.clock.now(), action: 'ingest', subject: 'feed north', reason: 'x' }),
    ['boss@example.com'],
  ],
  ['a run', ({ ctx, db }) => createRun(db, { ...asked(ctx), cause: 'manual' }), ['boss@example.com']],
  [
    'a delivery',
    ({ ctx, db }) =>
      noteDelivery(db, { feed: 'north', login: 'main', name: 'a.csv', fingerprint: 'a' }, ctx.clock.now()),
    ['boss@example.com'],
  ],
])('%s decides whether the others are reminded', async (_, happen, reminded) => {
  const shop = await announced();
  await takeIncident(shop.id, {}, by('carl'), shop.ctx);
  shop.at(12);
  await happen(shop);
  shop.at(25);
  expect(addresses(await shop.sent())).toEqual(reminded);
});

test('whoever is given it is told at once, and hears of its end', async () => {
  const { ctx, db, id, at, sent } = await announced([BOSS, { email: 'brakes@example.com', when: ['daily'] }]);
  at(1);
  await giveIncident(id, { to: 'brakes@example.com' }, by('anna'), ctx);
  expect(await sent()).toEqual([expect.stringMatching(/^brakes@example\.com: Still open/u)]);
  at(2);
  expect(await sent()).toEqual([]);
  await recover(db, { ...FROZEN, text: 'released' }, ctx.clock.now());
  expect(addresses(await sent())).toEqual(['boss@example.com', 'brakes@example.com']);
});

test('whoever is given what nobody is reminded of is told once', async () => {
  const { ctx, db, at, sent } = await announced();
  const low: Raise = { kind: 'not-removed', login: 'main', feed: 'north', reason: saying('no right to') };
  await raise(db, low, START);
  expect(addresses(await sent())).toEqual(['boss@example.com']);
  at(1);
  await giveIncident((await openIncident(db, low))!.id, { to: 'anna' }, by('anna'), ctx);
  expect(addresses(await sent())).toEqual(['anna@example.com']);
  at(50);
  expect((await sent()).filter((one) => one.includes('cleared away'))).toEqual([]);
});

test('nobody is reminded of what is quiet, until the next delivery, a time, or it gets worse', async () => {
  for (const [until, end, hours] of [
    ['delivery', 'delivery', 60],
    ['58h', 'nothing', 60],
    ['worse', 'worse', 60],
  ] as const) {
    const { ctx, db, id, at, sent } = await announced();
    at(2);
    await quietIncident(id, until, by('anna'), ctx);
    at(50);
    expect(addresses(await sent())).toEqual([]);
    at(hours);
    if (end === 'delivery') {
      const arrival = { feed: 'north', login: 'main', name: 'a.csv', fingerprint: 'a' };
      await noteDelivery(db, arrival, ctx.clock.now());
    }
    if (end === 'worse') await raise(db, EXPIRY, ctx.clock.now());
    expect((await sent()).filter((one) => one.includes('Still open'))).toEqual([`boss@example.com: ${REMINDED}`]);
  }
});

test('what was taken by somebody who is disabled since is reminded of as if nobody had it', async () => {
  const { ctx, db, id, at, sent, mails } = await announced();
  at(20);
  await takeIncident(id, {}, by('anna'), ctx);
  at(24);
  await updateUser(db, 'anna', { disabled_at: ctx.clock.now() });
  expect(addresses(await sent())).toEqual(['boss@example.com']);
  const texts = (await mails()).map(({ text }) => text ?? '');
  expect(
    texts.some((text) => /anna, who took this on .*, is no longer known here: nobody works on it\./u.test(text)),
  ).toBe(true);
});

test('another cause is announced to all, and whoever had the one before has it', async () => {
  const { ctx, db, id, at, sent, mails } = await announced();
  await takeIncident(id, {}, by('anna'), ctx);
  at(3);
  await raise(db, { ...FROZEN, cause: 'another' }, ctx.clock.now());
  expect(addresses(await sent())).toEqual(['anna@example.com', 'boss@example.com']);
  const texts = (await mails()).map(({ text }) => text ?? '');
  expect(texts.filter((text) => text.includes('anna has been working on this since'))).toHaveLength(2);
  await recover(db, { ...FROZEN, text: 'released' }, ctx.clock.now());
  await raise(db, FROZEN, ctx.clock.now() + 1);
  expect((await openIncident(db, FROZEN))?.taken_by).toBeNull();
});

test('a mail has the command that takes it, and says that replies are not read', async () => {
  const { mails } = await announced([{ ...BOSS, audience: 'ops' }]);
  const [mail] = await mails();
  expect(mail?.text).toMatch(/Say that you work on it: offerline incidents take \S+/u);
  expect(mail?.text).toContain('Nobody reads replies to this mail.');
});

test('a digest says who has it, and that nobody is reminded where their address is not known', async () => {
  const { ctx, id } = await announced();
  const language = openLanguage('en');
  const digest = async () => {
    const asked = { every: 'daily', day: '2026-05-04', since: START, audience: 'ops', console: null } as const;
    const input = await gatherDigest({ ...asked, feeds: ['north'], language }, ctx);
    return buildDigestMail(input, { from: 'a@example.com', to: BOSS.email }).text.replaceAll(/\s+/gu, ' ');
  };
  await takeIncident(id, {}, by('dora'), ctx);
  expect(await digest()).toMatch(
    /dora has been working on this since .* No address is known for dora, so nobody is reminded for now\./u,
  );
  await quietIncident(id, 'delivery', by('dora'), ctx);
  expect(await digest()).toMatch(
    /dora has been working on this since [^.]*\. No reminders until the next delivery, until [^.]* at most \(dora\)\./u,
  );
});

test('after a day without work nobody says any more that nobody is reminded', async () => {
  const { ctx, db, id, at } = await announced();
  const language = openLanguage('en');
  await takeIncident(id, {}, by('dora'), ctx);
  const said = async () => {
    const row = (await openIncident(db, FROZEN))!;
    return workSentences(workOf(row, await peopleNow(ctx), ctx.clock.now()), language, 'digest').join(' ');
  };
  at(23);
  expect(await said()).toContain('so nobody is reminded for now');
  at(24);
  expect(await said()).toMatch(/^dora has been working on this since [^.]*\.$/u);
  at(25);
  await noteIncident(id, 'asked them', by('dora'), ctx);
  expect(await said()).toContain('so nobody is reminded for now');
});

test('the mail of a run says who has what it brought', async () => {
  const shop = await announced();
  const { ctx, db } = shop;
  const ended = async (outcome: 'held' | 'rejected', sha: string) => {
    const run = await createRun(db, { ...asked(ctx), feed: 'south', cause: 'schedule' });
    await updateRun(db, run, { delivery_sha: sha.repeat(64), delivery_name: 'n.csv' });
    await decideRun(db, run, { ...decided(outcome), reason: found('it is strange'), now: ctx.clock.now() });
    await reportRun(await getRun(db, run), ctx, new AbortController().signal);
    await shop.tell();
  };
  await ended('held', 'a');
  const brought = (await openIncident(db, { kind: 'delivery', login: 'main', feed: 'south' }))!;
  await takeIncident(brought.id, {}, by('anna'), ctx);
  shop.at(1);
  // Whoever has the one before has what takes its place.
  await ended('rejected', 'b');
  const texts = (await shop.mails()).filter(({ subject }) => subject?.includes('south')).map(({ text }) => text ?? '');
  expect(texts.filter((text) => text.includes('anna has been working on this since'))).toHaveLength(2);
});

test('a user who runs the installation reads what ops read, and every user in their language', async () => {
  const { ctx, db, id, mails, sent } = await announced();
  await giveIncident(id, { to: 'anna' }, by('boss'), ctx);
  expect(addresses(await sent())).toEqual(['anna@example.com']);
  const toAnna = (await mails()).find(({ to }) => to === 'anna@example.com');
  expect(toAnna?.text).toContain('offerline incidents take');
  await updateUser(db, 'anna', { language: 'pl' });
  expect(await readerOf('Anna@example.com', ctx)).toEqual({ audience: 'ops', language: 'pl' });
  await updateUser(db, 'anna', { role: 'viewer' });
  expect(await readerOf('anna@example.com', ctx)).toEqual({ audience: 'managers', language: 'pl' });
  // Of an address that stands there, `managers` decides.
  await updateUser(db, 'anna', { role: 'ops', email: BOSS.email });
  expect(await readerOf(BOSS.email, ctx)).toEqual({ audience: 'managers', language: 'en' });
});

test('whoever is given a quiet incident hears of it, and whoever has one that others silenced goes on hearing of it', async () => {
  const { ctx, id, at, sent } = await announced();
  await quietIncident(id, 'delivery', by('boss'), ctx);
  await giveIncident(id, { to: 'anna' }, by('boss'), ctx);
  at(1);
  expect(addresses(await sent())).toEqual(['anna@example.com']);
  at(26);
  expect(addresses(await sent())).toEqual(['anna@example.com']);
  await quietIncident(id, 'delivery', by('anna'), ctx);
  at(60);
  expect(addresses(await sent())).toEqual([]);
});

test('a quiet that nothing ends is over after two weeks', async () => {
  const { ctx, id, at, sent } = await announced();
  await quietIncident(id, 'delivery', by('boss'), ctx);
  at(13 * 24);
  expect(addresses(await sent())).toEqual([]);
  at(14 * 24 + 1);
  expect(addresses(await sent())).toEqual(['boss@example.com']);
});
