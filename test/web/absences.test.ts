import { beforeAll, expect, test } from 'vitest';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';

let served: ConsoleUnderTest;
let ops: Client;

const DAYS = { from: '2030-12-24', to: '2031-01-06', reason: 'closed between the years' };

beforeAll(async () => {
  const expected = { days: 'mon-fri', by: ['08:00', '14:00'], timezone: 'Europe/Berlin' };
  served = await openConsole({ feeds: { north: { expect: expected }, south: { expectEvery: '26h' } } });
  ops = await served.signIn('ops');
});

test('the page of a feed says when deliveries are due', async () => {
  const page = await ops.page('/feeds/north');
  expect(page).toMatch(/Expected by<\/dt>\s*<dd>\s*<code>mon, tue, wed, thu, fri<\/code> <code>08:00, 14:00<\/code>/u);
  expect(page).toMatch(/Next delivery due/u);
  expect(await ops.page('/feeds/south')).toMatch(/Expected every<\/dt>\s*<dd>26 hours/u);
});

test('an absence is announced and withdrawn on the page of its feed, once, with a reason', async () => {
  const announced = await ops.post('/feeds/north/away', DAYS);
  expect(announced.status).toBe(303);
  expect(await ops.page(announced.headers.get('location') ?? '')).toContain('class="notice"');
  expect((await ops.post('/feeds/north/away', DAYS)).status).toBe(409);
  expect((await ops.post('/feeds/north/away', { ...DAYS, to: '2030-12-01' })).status).toBe(400);
  expect((await ops.post('/feeds/north/away', { ...DAYS, from: '2030-12-01', reason: ' ' })).status).toBe(400);
  const page = await ops.page('/feeds/north');
  expect(page).toMatch(
    /Absent<\/dt>\s*<dd class="say waiting">2030-12-24 – 2031-01-06, [^<]*<bdi>closed between the years/u,
  );
  const back = '/feeds/north/away/2030-12-24/2031-01-06/revoke';
  expect(page).toContain(`action="${back}"`);
  const viewer = await served.signIn('viewer');
  const seen = await viewer.page('/feeds/north');
  expect(seen).toContain('closed between the years');
  expect(seen).not.toContain('/away');
  expect((await ops.post(back, { reason: 'they deliver after all' })).status).toBe(303);
  expect((await ops.post(back, { reason: 'again' })).status).toBe(409);
  expect(await ops.page('/feeds/north')).not.toContain(back);
  const audit = await ops.page('/audit?action=away');
  expect(audit).toContain('2030-12-24/2031-01-06: closed between the years');
  expect(audit).toContain('href="/feeds/north"');
  expect(await ops.page('/audit?action=revoke-away')).toContain('they deliver after all');
});

test('a refusal is in the language of the reader', async () => {
  await ops.post('/feeds/south/away', DAYS);
  await ops.post('/language', { language: 'de', to: '/' });
  const reply = await ops.post('/feeds/south/away', DAYS);
  expect(await reply.text()).toContain(
    'Für south sind diese Tage schon als lieferfrei eingetragen: 2030-12-24/2031-01-06',
  );
  await ops.post('/language', { language: 'en', to: '/' });
});

test('programs announce and withdraw them as well', async () => {
  const { stdout } = await served.shop.offerline('token', 'add', 'suppliers', '--role', 'ops');
  const call = async (what: string, body: object) => {
    const reply = await fetch(`${served.url}/api/v1/feeds/north/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stdout.trim()}` },
      body: JSON.stringify(body),
    });
    return { status: reply.status, answer: await reply.json() };
  };
  const body = { days: '2031-05-01', reason: 'bridge day' };
  expect(await call('away', body)).toEqual({ status: 200, answer: { from: '2031-05-01', to: '2031-05-01' } });
  expect(await call('away', body)).toMatchObject({ status: 409 });
  expect(await call('away', { ...body, days: 'May' })).toMatchObject({ status: 400 });
  expect(await call('revoke-away', body)).toMatchObject({ status: 200 });
  expect(await call('revoke-away', body)).toMatchObject({ status: 409 });
});
