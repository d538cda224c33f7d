import { beforeAll, describe, expect, test } from 'vitest';
import { deliverAndRun, endOf, goodRows, heldRun, startRun, strangeColumns } from '../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';

let served: ConsoleUnderTest;
let ops: Client;

beforeAll(async () => {
  served = await openConsole({
    feeds: { north: {}, south: {}, odd: {} },
    managers: [{ email: 'north@example.com', feeds: ['north'] }],
  });
  ops = await served.signIn('ops');
});

test('of two people who approve at once one is told, and one upload happens', async () => {
  const run = await heldRun('north', ops, served);
  const other = await served.signIn('manager', 'north@example.com');
  const before = (await served.service.offers()).length;
  expect(await ops.page(`/runs/${run}`)).toContain(`action="/runs/${run}/approve"`);
  const replies = await Promise.all(
    [ops, other].map((client) => client.post(`/runs/${run}/approve`, { reason: 'checked by phone' })),
  );
  expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([303, 409]);
  expect(await replies.find(({ status }) => status === 409)?.text()).toContain(`Run ${run} is not held`);
  expect(await endOf(run, ops)).toMatchObject({ outcome: 'live', rows: { live: 2 } });
  expect((await served.service.offers()).length).toBe(before + 1);
  const audit = await ops.page('/audit?action=approve');
  expect(audit).toContain('checked by phone');
  expect(audit).toMatch(/console <span class="soft"><bdi>127\.0\.0\.1/u);
});

test('a form that is sent twice is carried out once, and answered as the first time', async () => {
  served.shop.deliver('south', 'a.csv', goodRows(40));
  const page = await ops.page('/feeds/south');
  const once = /action="\/feeds\/south\/run"[^]*?name="once" value="([^"]+)"/u.exec(page)?.[1] ?? '';
  const [first, second] = await Promise.all([
    ops.post('/feeds/south/run', { once }),
    ops.post('/feeds/south/run', { once }),
  ]);
  expect(first.headers.get('location')).toMatch(/^\/runs\//u);
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
  await endOf(/\/runs\/([\w-]+)/u.exec(first.headers.get('location') ?? '')?.[1] ?? '', ops);
});

test('what cannot be undone is confirmed first, and a reason is needed', async () => {
  const run = await heldRun('south', ops, served);
  expect((await ops.post(`/runs/${run}/reject`, { reason: 'wrong file' })).status).toBe(400);
  expect((await ops.post(`/runs/${run}/reject`, { reason: '  ', confirm: 'yes' })).status).toBe(400);
  const page = await ops.page(`/runs/${run}`);
  expect(page).toMatch(/name="confirm" value="yes" required/u);
  expect((await ops.post(`/runs/${run}/reject`, { reason: 'wrong file', confirm: 'yes' })).status).toBe(303);
  expect(await endOf(run, ops)).toMatchObject({ outcome: 'rejected', cause: 'turned-down' });
});

test('columns that are proposed are chosen in the form, and taken', async () => {
  const run = await deliverAndRun('odd', strangeColumns(), ops, served);
  expect(['held', 'rejected']).toContain(run.outcome);
  expect(await ops.page(`/runs/${run.run}`)).toContain(`action="/runs/${run.run}/columns"`);
  const fields = { 'column-brand': '1', 'column-oem': '2', reason: 'asked the supplier' };
  expect((await ops.post(`/runs/${run.run}/columns`, fields)).status).toBe(303);
  expect(await endOf(run.run, ops)).toMatchObject({ outcome: 'live', rows: { live: 60 } });
  expect(await ops.page('/feeds/odd')).toContain('asked the supplier');
});

test.each(['/feeds/odd', '/logins/main'])('%s says that its form was carried out', async (path) => {
  for (const what of ['pause', 'resume']) {
    const { headers } = await ops.post(`${path}/${what}`, { reason: 'stocktaking' });
    expect(await ops.page(headers.get('location') ?? '')).toContain('class="notice"');
  }
});

describe('what a manager does not see', () => {
  test('is not found, and nothing of it is decided', async () => {
    const run = await heldRun('south', ops, served);
    const manager = await served.signIn('manager', 'north@example.com');
    for (const path of [`/runs/${run}`, `/runs/${run}/rows?group=read`, `/runs/${run}/report.json`, '/feeds/south'])
      expect({ path, status: (await manager.get(path)).status }).toEqual({ path, status: 404 });
    expect((await manager.post(`/runs/${run}/approve`, { reason: 'mine' })).status).toBe(404);
    const pages = await Promise.all(['/', '/runs', '/incidents', '/suppliers', '/api/v1/feeds'].map(manager.page));
    for (const page of pages) expect(page).not.toContain('south');
  });
});

test('texts of suppliers and of people are text, wherever they stand', async () => {
  const evil = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
  served.shop.deliver(
    'north',
    `evil ${encodeURIComponent(evil).slice(0, 20)}.csv`,
    `brand;oem\n${evil};1\nBOSCH;\nATE;2\n`,
  );
  const run = await startRun('north', ops);
  await endOf(run, ops);
  await ops.post('/feeds/north/pause', { reason: evil });
  const paths = ['/', `/runs/${run}`, `/runs/${run}/rows?group=read`, '/runs', '/incidents', '/audit', '/feeds/north'];
  const more = [`/part?brand=${encodeURIComponent(evil)}&number=1`, `/runs?text=${encodeURIComponent(evil)}`];
  for (const path of [...paths, ...more]) {
    const text = await ops.page(path);
    expect({ path, script: /<script>alert|<img src=x/u.test(text) }).toEqual({ path, script: false });
  }
  await ops.post('/feeds/north/resume', { reason: 'over' });
});

test('all runs that a filter shows are counted first, then run again', async () => {
  const counted = await (await ops.post('/runs/rerun?feed=south', {})).text();
  expect(counted).toContain('name="count" value="1"');
  expect((await ops.post('/runs/rerun?feed=south', { confirm: 'yes', count: '7' })).status).toBe(409);
  const done = await ops.post('/runs/rerun?feed=south', { confirm: 'yes', count: '1' });
  expect(done.headers.get('location')).toBe('/runs?outcome=open');
});

test('a decision is rehearsed, and nothing real is touched', async () => {
  const run = await heldRun('north', ops, served);
  const before = (await served.service.offers()).length;
  const text = await (await ops.post(`/runs/${run}/rehearse`)).text();
  expect(text).toContain('REHEARSAL');
  expect(text.replaceAll(/\s+/gu, ' ')).toMatch(/>north<\/th><td [^>]*> 40 <\/td><td [^>]*> 2 <\/td>/u);
  expect((await served.service.offers()).length).toBe(before);
  expect(await endOf(run, ops)).toMatchObject({ outcome: 'held' });
});

test('a file is checked in the browser, comes back marked, and nothing of it is kept', async () => {
  const send = async (path: string, name: string, content: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set('file', new File([content], name));
    return fetch(`${served.url}${path}`, {
      method: 'POST',
      body: form,
      headers: { cookie: ops.cookie(), origin: served.url },
    });
  };
  const clean = await (await send('/check', 'ä лист.csv', goodRows(40))).text();
  expect(clean).toContain('It would be uploaded.');
  const bad = await (await send('/check', 'bad.csv', 'brand;oem\n;1\nBOSCH;2\n', { feed: 'north' })).text();
  expect(bad).toContain('brand-empty');
  const marked = await send('/check/marked', 'bad.csv', 'brand;oem\n;1\nBOSCH;2\n');
  expect(marked.headers.get('content-disposition')).toContain('bad-marked.xlsx');
  expect(
    Buffer.from(await marked.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK');
  const broken = await send('/check', 'broken.zip', 'PK\u0003\u0004 no zip');
  expect(await broken.text()).toMatch(/It would not be uploaded|broken\.zip/u);
});
