import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openIncident, raise, recover, type Raise } from '../../src/ledger/alerts/incidents.ts';
import { openLedger, type Db } from '../../src/ledger/ledger.ts';
import { atEnd } from '../support/at-end.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';
import { saying } from '../support/reasons.ts';

const FROZEN: Raise = { kind: 'frozen-feed', login: 'main', feed: 'north', reason: saying('a rollback') };
const AWAY: Raise = { kind: 'unreachable', login: 'main', reason: saying('no answer') };

let served: ConsoleUnderTest;
let db: Db;
let ops: Client;
let name: string;

beforeAll(async () => {
  served = await openConsole({
    feeds: { north: {}, south: {} },
    managers: [{ email: 'brakes@example.com', feeds: ['north'] }],
    web: { timezone: 'Europe/Berlin' },
  });
  const ledger = await openLedger({ file: join(served.shop.home, 'ledger.sqlite') });
  atEnd(() => ledger.close());
  db = ledger.db;
  ops = await served.signIn('ops', 'ops@example.com');
  name = 'ops1';
});

/** A new incident, and the address of its page. */
async function begin(what: Raise = FROZEN): Promise<string> {
  await recover(db, { ...what, text: 'over' }, Date.now());
  await raise(db, what, Date.now());
  return `/incidents/${(await openIncident(db, what))!.id}`;
}

/** What the page says between two of its words, without markup. */
async function workOn(client: Client, page: string): Promise<string> {
  const [section = ''] = /<section id="work">[^]*?<\/section>/u.exec(await client.page(page)) ?? [];
  return section.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
}

test('an incident is taken, given, noted, silenced and given back on its page, without scripts', async () => {
  const page = await begin();
  expect(await workOn(ops, page)).toContain('Nobody works on it yet.');
  const taken = await ops.post(`${page}/take`);
  expect(taken.status).toBe(303);
  expect(await ops.page(taken.headers.get('location') ?? '')).toContain('class="notice"');
  expect(await workOn(ops, page)).toMatch(new RegExp(`${name} has been working on this since`, 'u'));
  expect((await ops.post(`${page}/note`, { text: 'called <them>' })).status).toBe(303);
  expect(await ops.page(page)).toContain('<bdi>called &lt;them&gt;</bdi>');
  expect((await ops.post(`${page}/quiet`, { until: 'delivery' })).status).toBe(303);
  expect(await workOn(ops, page)).toMatch(/No reminders until the next delivery, until [^(]* at most \(ops1\)\./u);
  expect((await ops.post(`${page}/give`, { to: 'brakes@example.com' })).status).toBe(303);
  expect(await workOn(ops, page)).toContain('brakes@example.com has been working on this since');
  for (const path of ['/incidents', '/feeds/north', '/']) expect(await ops.page(path)).toContain('brakes@example.com');
  expect((await ops.post(`${page}/release`)).status).toBe(409);
  expect((await ops.post(`${page}/release`, { from: 'brakes@example.com' })).status).toBe(303);
  expect(await workOn(ops, page)).toContain('Nobody works on it yet.');
  const audit = await ops.page('/audit?action=note-incident');
  expect(audit).toContain('called &lt;them&gt;');
  expect(audit).toContain(`href="${page}"`);
});

test('the second is told who has it, and takes it over only from whom they saw', async () => {
  const page = await begin();
  const other = await served.signIn('ops');
  const both = await Promise.all([ops, other].map((client) => client.post(`${page}/take`)));
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409]);
  const loser = both[0]?.status === 409 ? ops : other;
  const holder = loser === ops ? 'ops2' : name;
  expect(await both.find(({ status }) => status === 409)?.text()).toContain(`${holder} has had incident`);
  expect(await loser.page(page)).toContain(`<input type="hidden" name="from" value="${holder}"`);
  expect((await loser.post(`${page}/take`, { from: 'somebody else' })).status).toBe(409);
  expect((await loser.post(`${page}/take`, { from: holder })).status).toBe(303);
});

test('a time is one of the clock of the console', async () => {
  const page = await begin();
  const day = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  expect((await ops.post(`${page}/quiet`, { until: 'time', at: `${day}T08:00` })).status).toBe(303);
  expect(await workOn(ops, page)).toMatch(/No reminders until .*08:00 CES?T/u);
  for (const at of ['', 'soon', '2020-01-01T08:00'])
    expect((await ops.post(`${page}/quiet`, { until: 'time', at })).status).toBe(400);
  expect((await ops.post(`${page}/quiet`, { until: 'whenever' })).status).toBe(400);
});

test('who may not decide sees who works on it, and who does not see the feed sees nothing', async () => {
  const page = await begin();
  await ops.post(`${page}/take`);
  const viewer = await served.signIn('viewer');
  expect(await workOn(viewer, page)).toContain(`${name} has been working on this`);
  expect(await viewer.page(page)).not.toContain('<form class="act"');
  expect((await viewer.post(`${page}/release`)).status).toBe(403);
  const own = await served.signIn('manager', 'brakes@example.com');
  expect((await own.post(`${page}/note`, { text: 'mine' })).status).toBe(303);
  expect((await own.post(`${await begin(AWAY)}/take`)).status).toBe(404);
  const stranger = await served.signIn('manager', 'else@example.com');
  expect((await stranger.post(`${page}/take`)).status).toBe(404);
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await ops.post(`${page}/release`, {}, foreign)).status).toBe(403);
  expect(await workOn(viewer, page)).toContain(`${name} has been working on this`);
});

test('a refusal is in the language of the reader', async () => {
  const page = await begin();
  const german = await served.signIn('ops');
  await german.post('/language', { language: 'de', to: '/' });
  await ops.post(`${page}/take`);
  expect(await (await german.post(`${page}/take`)).text()).toMatch(
    new RegExp(`kümmert sich seit .* schon ${name}\\.`, 'u'),
  );
  expect(await workOn(german, page)).toContain('Wer sich darum kümmert');
});

test('programs do the same with a token, in somebody’s name', async () => {
  const page = await begin();
  const { stdout } = await served.shop.offerline('token', 'add', 'chat', '--role', 'ops');
  const call = async (what: string, body?: object) => {
    const reply = await fetch(`${served.url}/api/v1${page}${what}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${stdout.trim()}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, answer: (await reply.json()) as Record<string, unknown> };
  };
  expect(await call('/take', { as: name })).toMatchObject({
    status: 200,
    answer: { taken: { by: name, hasMail: true, gone: false }, quiet: null, notes: [] },
  });
  expect(await call('/take', { as: 'berta' })).toMatchObject({ status: 409 });
  expect(await call('/take', { as: 'berta', force: true })).toMatchObject({ answer: { taken: { by: 'berta' } } });
  expect(await call('/note', { text: 'seen' })).toMatchObject({
    answer: { notes: [{ who: 'token chat', text: 'seen' }] },
  });
  expect(await call('/quiet', { until: '3d' })).toMatchObject({
    answer: { quiet: { until: 'time', by: 'token chat' } },
  });
  expect(await call('/give', { to: 'nobody', force: true })).toMatchObject({ status: 404 });
  expect(await call('/give', { to: name })).toMatchObject({ status: 409 });
  expect(await call('/release', { force: true })).toMatchObject({ answer: { taken: null, quiet: null } });
  expect(await call('/note', { text: ' ' })).toMatchObject({ status: 400 });
  expect(await call('', undefined)).toMatchObject({ status: 200, answer: { taken: null, notes: [{ text: 'seen' }] } });
  expect(await call('x', undefined)).toMatchObject({ status: 404 });
});
