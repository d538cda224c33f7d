import { beforeAll, expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { allFeedStates, feedStates } from '../../../src/jobs/standing/feed-state.ts';
import { loginStates } from '../../../src/jobs/standing/login-state.ts';
import { quietIncident, takeIncident } from '../../../src/jobs/decisions/incident/work.ts';
import { examineWork } from '../../../src/jobs/doctor/doctor-ledger.ts';
import type { StatusLine } from '../../../src/jobs/standing/status-line.ts';
import { statusAnswer, statusOf } from '../../../src/jobs/standing/status.ts';
import { liveFacts, liveNowOf } from '../../../src/jobs/logins/live-facts.ts';
import { listIncidents, raise } from '../../../src/ledger/alerts/incidents.ts';
import { leaveNote } from '../../../src/ledger/alerts/notes.ts';
import { addPause, endPause } from '../../../src/ledger/runs/pauses.ts';
import { listRuns, updateRun } from '../../../src/ledger/runs/runs.ts';
import { endSourceDenial, noteSourceDenial } from '../../../src/ledger/runs/source-denials.ts';
import { openLanguage } from '../../../src/wording/language/language.ts';
import { saying } from '../../support/reasons.ts';
import { knownFeed, listFeeds } from '../../../src/ledger/runs/feeds.ts';
import { FEEDS, openSmall } from '../../support/filled-ledger.ts';

let ctx: Context;
beforeAll(async () => {
  ctx = await openSmall();
});

test('each line says what it is about, and what its next step does', async () => {
  const { lines } = await statusOf(ctx);
  expect(lines.filter(({ next, action }) => (next === null) !== (action === null))).toEqual([]);
  for (const { name, login, about } of lines.filter(({ what }) => what === 'feed'))
    expect(about).toMatchObject({ feed: name, login });
  for (const { name, about } of lines.filter(({ what }) => what === 'login'))
    expect(about).toMatchObject({ login: name });
});

test.each([
  ['en', 'paused since now by ben: holidays'],
  ['de', 'pausiert seit jetzt von ben: holidays'],
  ['pl', 'wstrzymany od teraz przez użytkownika ben: holidays'],
  ['ru', 'приостановлено с сейчас, ben: holidays'],
] as const)('a reader of %s is told in that language, and the same in any', async (name, said) => {
  const paused = FEEDS[2]!;
  const { db } = ctx.ledger;
  await addPause(db, { kind: 'feed', name: paused, at: 1, who: 'ben', reason: 'holidays' });
  const now = { en: 'now', de: 'jetzt', pl: 'teraz', ru: 'сейчас' }[name];
  const { lines } = await statusOf(ctx, { wording: { language: openLanguage(name), clock: () => now } });
  expect(lines.find((line) => line.name === paused)?.says).toBe(said);
  const facts = (all: StatusLine[]) => all.map(({ says: _says, quoted: _quoted, ...line }) => line);
  expect(facts(lines)).toEqual(facts((await statusOf(ctx)).lines));
  await endPause(db, { kind: 'feed', name: paused });
});

test.each([
  ['held', 'waiting', 'approve'],
  ['failed', 'bad', 'rerun'],
  ['rejected', 'bad', 'look'],
] as const)('a newest delivery that is %s leads to its run', async (outcome, tone, action) => {
  const feed = FEEDS[5]!;
  const [newest] = await listRuns(ctx.ledger.db, { feed, limit: 1 });
  await updateRun(ctx.ledger.db, newest!.id, { outcome, stage: 'done', finished_at: newest!.created_at + 1 });
  const { lines } = await statusOf(ctx, { scope: [feed] });
  const about = { feed, login: newest!.login, run: newest!.id };
  expect(lines.find(({ what }) => what === 'feed')).toMatchObject({ tone, action, about });
});

test('a pause leads to its end, an incident to itself', async () => {
  const feed = FEEDS[3]!;
  const { db } = ctx.ledger;
  await db.updateTable('incidents').set({ recovered_at: 1 }).where('feed', '=', feed).execute();
  await db.deleteFrom('source_denials').execute();
  await db.updateTable('runs').set({ outcome: 'unchanged' }).where('feed', '=', feed).execute();
  const login = ctx.config.feeds[feed]!.login;
  await raise(db, { kind: 'lost-rows', login, feed, reason: saying('some rows are gone') }, 1);
  const line = async () => (await statusOf(ctx, { scope: [feed] })).lines.find(({ what }) => what === 'feed');
  const [incident] = await listIncidents(db, { feed });
  expect(await line()).toMatchObject({ tone: 'bad', about: { feed, incident: incident!.id } });
  await addPause(db, { kind: 'feed', name: feed, at: 1, who: 'anna', reason: 'they move' });
  expect(await line()).toMatchObject({ tone: 'waiting', action: 'resume', about: { feed } });
});

test('a feed that is paused, and whose login was paused before, names both pauses, and its own is ended at the feed', async () => {
  const feed = FEEDS[6]!;
  const { db } = ctx.ledger;
  const login = ctx.config.feeds[feed]!.login;
  await db.deleteFrom('source_denials').execute();
  await addPause(db, { kind: 'login', name: login, at: 1, who: 'anna', reason: 'they move' });
  await addPause(db, { kind: 'feed', name: feed, at: 2, who: 'bert', reason: 'wrong prices' });
  try {
    const [state] = await feedStates(ctx, [feed]);
    expect(state).toMatchObject({
      paused: { kind: 'login', who: 'anna' },
      pauses: [{ kind: 'login' }, { kind: 'feed', since: 2, who: 'bert', reason: 'wrong prices' }],
    });
    const { lines } = await statusOf(ctx, { scope: [feed] });
    const next = `offerline resume feed:${feed} --reason TEXT`;
    expect(lines.find(({ what }) => what === 'feed')).toMatchObject({ tone: 'waiting', action: 'resume', next });
  } finally {
    await endPause(db, { kind: 'login', name: login });
    await endPause(db, { kind: 'feed', name: feed });
  }
});

test('what scripts see has neither', async () => {
  const [line] = statusAnswer(await statusOf(ctx)).lines;
  expect(Object.keys(line!).sort()).toEqual(['login', 'name', 'next', 'rows', 'says', 'since', 'tone', 'what']);
});

test('a feed has the same state alone, among some, and among all', async () => {
  const all = await feedStates(ctx);
  expect(all.map(({ feed }) => feed)).toEqual(FEEDS);
  for (const state of all) expect(await feedStates(ctx, [state.feed])).toEqual([state]);
  expect(await feedStates(ctx, FEEDS.slice(2, 4))).toEqual(all.slice(2, 4));
  expect(await feedStates(ctx, [])).toEqual([]);
});

test('what is live of a feed is what its run shows', async () => {
  for (const { feed, login, now } of await feedStates(ctx)) {
    expect(now).toEqual(await liveNowOf(feed, login, ctx.ledger.db));
  }
});

test('a feed says how many rows of its live delivery are not live, and why; its tone for scripts stays', async () => {
  const { db } = ctx.ledger;
  const feed = FEEDS[4]!;
  const login = ctx.config.feeds[feed]!.login;
  const { contribution } = await knownFeed(db, feed, login);
  const [state] = await feedStates(ctx, [feed]);
  const { proved } = await liveFacts(db, login);
  const { rejectedLocally, rejectedRemotely, unexplained } = proved!.feeds.get(feed)!;
  expect(state!.notLive).toEqual({ rejectedLocally, rejectedRemotely, unexplained });
  const line = (await statusOf(ctx, { scope: [feed] })).lines.find(({ what }) => what === 'feed');
  expect(line!.notLive).toEqual({ run: contribution, rows: state!.notLive });
});

test('who may see some feeds reads nothing of the others', async () => {
  const scope = [FEEDS[1]!, FEEDS[4]!];
  const { lines } = await statusOf(ctx, { scope });
  const names = lines.filter(({ what }) => what === 'feed').map(({ name }) => name);
  expect(new Set(names)).toEqual(new Set(scope));
  expect(lines.filter(({ what }) => what === 'login' || what === 'mail')).toEqual([]);
  const text = JSON.stringify([lines, await feedStates(ctx, scope)]);
  expect(FEEDS.filter((feed) => text.includes(`"${feed}"`))).toEqual(scope);
});

test('where a login may serve something else no feed is called good, and who sees no login is told by the feed', async () => {
  const { db } = ctx.ledger;
  const feed = FEEDS[2]!;
  const login = ctx.config.feeds[feed]!.login;
  const ofFeed = async (scope: string[] | null) => {
    const { clear, lines } = await statusOf(ctx, { scope });
    return { clear, line: lines.find(({ what, name }) => what === 'feed' && name === feed) };
  };
  await db.updateTable('incidents').set({ recovered_at: 1 }).where('recovered_at', 'is', null).execute();
  await db.updateTable('runs').set({ outcome: 'live' }).where('feed', '=', feed).execute();
  expect(await ofFeed([feed])).toMatchObject({ clear: true, line: { tone: 'good' } });
  await raise(db, { kind: 'foreign-upload', login, feed: null, reason: saying('upload 7 is live') }, ctx.clock.now());
  expect(await ofFeed([feed])).toMatchObject({
    clear: false,
    line: { tone: 'waiting', says: 'not certain: upload 7 is live', action: 'look', about: { feed } },
  });
  expect(await ofFeed(null)).toMatchObject({ clear: false, line: { tone: 'quiet', action: null } });
  expect((await statusOf(ctx, { scope: [] })).clear).toBe(false);
});

test('a login counts what its newest proved upload made live, and names its feeds that stand still', async () => {
  const feeds = await feedStates(ctx);
  for (const { login, live, standing } of await loginStates(ctx)) {
    const own = feeds.filter((feed) => feed.login === login);
    const left = (await allFeedStates(ctx)).leaving.filter((feed) => feed.login === login);
    expect(live?.rows).toBe(
      [...own.map((feed) => feed.live?.rows ?? 0), ...left.map(({ rows }) => rows)].reduce((a, b) => a + b, 0),
    );
    expect(standing.map(({ feed }) => feed)).toEqual(
      own.filter(({ standstill }) => standstill !== null).map(({ feed }) => feed),
    );
  }
});

test('a feed that is live and no longer configured is kept by its guard, and says how it leaves', async () => {
  expect((await allFeedStates(ctx)).leaving).toMatchObject([
    { feed: 'gone-supplier', stays: true, reason: expect.stringContaining('offerline release gone-supplier') },
  ]);
});

test.each(['de', 'pl', 'ru'])('a reader of %s is told in no other language what has no incident', async (name) => {
  const { lines } = await statusOf(ctx, { wording: { language: openLanguage(name), clock: () => '12:00' } });
  const left = lines.find((line) => line.name === 'gone-supplier');
  expect(left?.says).toBe(openLanguage(name).say('status.leavingStays'));
  const now = ctx.clock.now();
  await noteSourceDenial(ctx.ledger.db, FEEDS[1]!, 'a mark', now);
  const told = await statusOf(ctx, {
    scope: [FEEDS[1]!],
    wording: { language: openLanguage(name), clock: () => '12:00' },
  });
  const { says } = told.lines.find(({ what }) => what === 'feed')!;
  expect(says).toBe(openLanguage(name).say('status.sourceDenied', { since: '12:00', count: 1 }));
  await endSourceDenial(ctx.ledger.db, FEEDS[1]!);
});

test('asking makes no rows of feeds that were never seen', async () => {
  const before = await listFeeds(ctx.ledger.db);
  ctx.config.feeds['never'] = { ...ctx.config.feeds[FEEDS[0]!]!, login: 'shop-1' };
  try {
    const [state] = await feedStates(ctx, ['never']);
    expect(state).toMatchObject({ feed: 'never', lastRun: null, live: null, candidate: null, standstill: null });
    expect(await listFeeds(ctx.ledger.db)).toEqual(before);
  } finally {
    delete ctx.config.feeds['never'];
  }
});

test('a feed that moved to another login starts anew there', async () => {
  const feed = FEEDS[0]!;
  const settings = ctx.config.feeds[feed]!;
  expect((await feedStates(ctx, [feed]))[0]?.live).not.toBeNull();
  ctx.config.feeds[feed] = { ...settings, login: 'shop-1' };
  try {
    expect((await feedStates(ctx, [feed]))[0]).toMatchObject({ login: 'shop-1', live: null });
  } finally {
    ctx.config.feeds[feed] = settings;
  }
});

test('an installation is not clear where nothing works after a restore, and `doctor` says why', async () => {
  const { db } = ctx.ledger;
  const restored = {
    place: '/mnt/backup',
    backup: '000001-20260504-060000-k7m2',
    madeAt: 1,
    at: 2,
    original: 'the original',
    filled: true,
    complete: true,
    term: null,
    chosen: null,
    fetching: {},
  };
  const work = async () =>
    (await statusOf(ctx)).lines.find(({ what, says }) => what === 'work' && says.includes('works'));
  expect(await work()).toBeUndefined();
  await leaveNote(db, 'restored', { ...restored, complete: false });
  expect(await work()).toMatchObject({ tone: 'bad', next: 'offerline restore' });
  await leaveNote(db, 'restored', restored);
  expect(await work()).toMatchObject({ says: expect.stringContaining('before somebody has chosen') as string });
  expect(await examineWork(ctx)).toContainEqual({
    check: 'restore',
    ok: false,
    detail: expect.stringContaining('`offerline restore --resume live`') as string,
  });
  await leaveNote(db, 'taken-over', { by: 'another ledger', at: 3, said: 'it says so' });
  expect(await work()).toMatchObject({ tone: 'bad', next: 'offerline doctor' });
  await db.deleteFrom('meta').where('key', 'in', ['restored', 'taken-over']).execute();
});

test('who works on an incident stands before what is wrong, also where the line is about the run that brought it', async () => {
  const [feed, other] = [FEEDS[0]!, FEEDS[1]!];
  const { db } = ctx.ledger;
  const { login } = ctx.config.feeds[feed]!;
  const by = { who: 'anna', via: 'cli', origin: null } as const;
  await db.updateTable('incidents').set({ recovered_at: 1 }).where('feed', 'in', [feed, other]).execute();
  for (const one of [feed, other]) {
    await raise(db, { kind: 'expiry', login, feed: one, reason: saying('too old') }, 1);
    const [incident] = await listIncidents(db, { feed: one });
    await takeIncident(incident!.id, {}, by, ctx);
    await quietIncident(incident!.id, 'delivery', by, ctx);
  }
  await addPause(db, { kind: 'feed', name: other, at: 1, who: 'ben', reason: 'holidays' });
  const wording = { language: openLanguage('en'), clock: () => 'now' };
  const { lines } = await statusOf(ctx, { scope: [feed, other], wording });
  const says = (name: string) => lines.find((line) => line.name === name)?.says;
  expect(says(feed)).toMatch(/^anna has had it since now; quiet until the next delivery; /u);
  expect(says(other)).toMatch(/^anna has had it since now; quiet until the next delivery; paused since now by ben/u);
  expect((await feedStates(ctx, [feed]))[0]?.incidents).toMatchObject([
    { kind: 'expiry', taken: { by: 'anna' }, quiet: { until: 'delivery' } },
  ]);
  await endPause(db, { kind: 'feed', name: other });
});
