import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  deliverAndRun,
  endOf,
  goodRows,
  heldRun,
  startRun,
  strangeColumns,
  unsureLetter,
} from '../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';

let served: ConsoleUnderTest;
let ops: Client;

beforeAll(async () => {
  served = await openConsole({
    feeds: { north: {}, south: {}, odd: {}, guessed: {}, unsure: {}, own: {} },
    managers: [
      { email: 'north@example.com', feeds: ['north'] },
      { email: 'own@example.com', feeds: ['own'] },
    ],
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

test('of four who run a feed, or run again, at once three are told, and it happens once', async () => {
  const atOnce = async (path: string, fields: Record<string, string>) => {
    const replies = await Promise.all(Array.from({ length: 4 }, () => ops.post(path, fields)));
    const begun = replies.flatMap((reply) => /\/runs\/([\w-]+)/u.exec(reply.headers.get('location') ?? '')?.[1] ?? []);
    expect({ path, begun: begun.length, told: replies.filter(({ status }) => status === 409).length }).toEqual({
      path,
      begun: 1,
      told: 3,
    });
    return endOf(begun[0]!, ops);
  };
  served.shop.deliver('odd', 'list.csv', goodRows(40));
  const { run } = await atOnce('/feeds/odd/run', {});
  await atOnce(`/runs/${run}/rerun`, { from: 'upload' });
});

test('a form that is sent twice is carried out once, and answered as the first time', async () => {
  served.shop.deliver('south', 'a.csv', goodRows(40, 'south'));
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

test('forms of those who are not signed in make nobody else’s forgotten', async () => {
  served.shop.deliver('south', 'b.csv', `${goodRows(40, 'south')}BREMBO;1\n`);
  const once = randomUUID();
  const first = (await ops.post('/feeds/south/run', { once })).headers.get('location');
  await endOf(/\/runs\/([\w-]+)/u.exec(first ?? '')?.[1] ?? '', ops);
  const stranger = served.visitor();
  for (let sent = 0; sent < 1001; sent += 77)
    await Promise.all(
      Array.from({ length: 77 }, () => stranger.post('/language', { language: 'en', once: randomUUID() })),
    );
  expect((await ops.post('/feeds/south/run', { once })).headers.get('location')).toBe(first);
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
  const run = await deliverAndRun('guessed', strangeColumns(), ops, served);
  expect(['held', 'rejected']).toContain(run.outcome);
  expect(await ops.page(`/runs/${run.run}`)).toContain(`action="/runs/${run.run}/columns"`);
  const fields = { 'column-brand': '1', 'column-oem': '2', reason: 'asked the supplier' };
  expect((await ops.post(`/runs/${run.run}/columns`, fields)).status).toBe(303);
  expect(await endOf(run.run, ops)).toMatchObject({ outcome: 'live', rows: { live: 60 } });
  expect(await ops.page('/feeds/guessed')).toContain('asked the supplier');
  const back = `/runs/${run.run}/revoke-columns`;
  expect(await ops.page('/feeds/guessed')).toContain(`action="${back}"`);
  expect(await (await served.signIn('viewer')).page('/feeds/guessed')).not.toContain(back);
  expect((await ops.post(back, { reason: 'they were others' })).status).toBe(303);
  expect(await ops.page('/feeds/guessed')).not.toContain(back);
});

test('readings that stand side by side are chosen in the form, and one is taken', async () => {
  const { run, outcome, cause, readings } = await deliverAndRun('unsure', unsureLetter(60), ops, served);
  expect({ outcome, cause }).toEqual({ outcome: 'held', cause: 'unsure' });
  const page = await ops.page(`/runs/${run}`);
  expect(page).toContain('How the file may be read');
  expect(page.match(/name="reading"/gu)).toHaveLength(readings.length);
  expect(page).not.toContain(`action="/runs/${run}/columns"`);
  expect((await ops.post(`/runs/${run}/reading`, { reason: 'looked at it' })).status).toBe(400);
  const reading = `${readings.findIndex(({ charset }) => charset === 'windows-1251') + 1}`;
  expect((await ops.post(`/runs/${run}/reading`, { reading, reason: 'looked at it' })).status).toBe(303);
  expect(await endOf(run, ops)).toMatchObject({
    outcome: 'live',
    rows: { live: 60 },
    dialect: { charset: 'windows-1251' },
  });
  expect((await ops.post(`/runs/${run}/reading`, { reading, reason: 'again' })).status).toBe(409);
  expect(await ops.page('/audit?action=take-reading')).toContain('looked at it');
});

test.each(['/feeds/odd', '/logins/main'])('%s says that its form was carried out', async (path) => {
  for (const what of ['pause', 'resume']) {
    const { headers } = await ops.post(`${path}/${what}`, { reason: 'stocktaking' });
    expect(await ops.page(headers.get('location') ?? '')).toContain('class="notice"');
  }
});

test('a feed and its login that are both paused are each resumed where they are', async () => {
  const forms = async (path: string) => /action="[^"]*\/(pause|resume)"/u.exec(await ops.page(path))?.[1];
  await ops.post('/logins/main/pause', { reason: 'stocktaking' });
  await ops.post('/feeds/odd/pause', { reason: 'wrong prices' });
  const page = await ops.page('/feeds/odd');
  expect(page).toMatch(/Its login is paused<[^]*stocktaking[^]*href="\/logins\/main#decide"[^]*wrong prices/u);
  expect([await forms('/feeds/odd'), await forms('/logins/main')]).toEqual(['resume', 'resume']);
  expect((await ops.post('/feeds/odd/resume', { reason: 'right again' })).status).toBe(303);
  expect([await forms('/feeds/odd'), await forms('/logins/main')]).toEqual(['pause', 'resume']);
  expect((await ops.post('/logins/main/resume', { reason: 'counted' })).status).toBe(303);
  expect(await forms('/logins/main')).toBe('pause');
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

  test('is neither said by their own runs, which went into the same upload', async () => {
    await heldRun('south', ops, served);
    const list = `${goodRows(40, 'north')}BREMBO;${randomUUID()}\n`;
    const { run, outcome } = await deliverAndRun('north', list, ops, served);
    expect(outcome).toBe('live');
    const manager = await served.signIn('manager', 'north@example.com');
    const paths = ['', '/report.html', '/report.json', '/report.csv'].map((part) => `/runs/${run}${part}`);
    for (const path of [...paths, `/api/v1/runs/${run}`])
      expect({ path, names: /south/u.test(await manager.page(path)) }).toEqual({ path, names: false });
    expect(JSON.parse(await ops.page(`/api/v1/runs/${run}`))).toHaveProperty('dataset.feeds.south');
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
  expect(done.headers.get('location')).toBe('/runs?outcome=open&done=rerun');
});

test('a decision is rehearsed, and nothing real is touched', async () => {
  const run = await heldRun('north', ops, served);
  const before = (await served.service.offers()).length;
  const text = await (await ops.post(`/runs/${run}/rehearse`)).text();
  expect(text).toContain('REHEARSAL');
  expect(text.replaceAll(/\s+/gu, ' ')).toMatch(/>north<\/th><td [^>]*> 40 <\/td><td [^>]*> 2 <\/td>/u);
  expect(text).toMatch(/rows? would be live; \d+ are live now/u);
  expect((await served.service.offers()).length).toBe(before);
  expect(await endOf(run, ops)).toMatchObject({ outcome: 'held' });
});

test('who sees one feed rehearses it in their language, without the rows of the whole login', async () => {
  // Parts that no other feed has, so that nothing changes for the others.
  const list = (count: number) =>
    `brand;oem\n${Array.from({ length: count }, (_, at) => `ATE;own ${at + 1}\n`).join('')}`;
  await deliverAndRun('own', list(40), ops, served);
  const { run } = await deliverAndRun('own', list(2), ops, served);
  const manager = await served.signIn('manager', 'own@example.com');
  await manager.post('/language', { language: 'de', to: '/' });
  const text = await (await manager.post(`/runs/${run}/rehearse`)).text();
  expect(text).toContain('0 neu, 38 entfallen, 0 geändert');
  expect(text).not.toContain('would be live');
});

test('a feed that stands still is not offered to be run, and who may not resume it reads who may', async () => {
  const viewer = await served.signIn('viewer');
  expect(await ops.page('/feeds/odd')).toContain('action="/feeds/odd/run"');
  await ops.post('/feeds/odd/pause', { reason: 'holiday' });
  expect(await ops.page('/feeds/odd')).not.toContain('action="/feeds/odd/run"');
  expect(await ops.page('/')).toMatch(/href="\/feeds\/odd#decide"\s*>Resume</u);
  expect(await ops.page('/')).toContain('<li>Paused or frozen: 1</li>');
  expect(await viewer.page('/')).toMatch(/href="\/feeds\/odd#decide"\s*>View</u);
  const seen = await viewer.page('/feeds/odd');
  expect(seen).toContain('Sign in with the role ops to end this here');
  expect(seen).not.toContain('action="/feeds/odd/resume"');
  await ops.post('/feeds/odd/resume', { reason: 'back' });
  expect(await viewer.page('/feeds/odd')).not.toContain('Sign in with the role ops');
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
  const same = await send('/check/marked', 'marked.xlsx', 'brand;oem\n;1\nBOSCH;2\n');
  expect(same.headers.get('content-disposition')).toContain('marked-marked.xlsx');
  await same.arrayBuffer();
  const broken = await send('/check', 'broken.zip', 'PK\u0003\u0004 no zip');
  const text = await broken.text();
  expect(text).toMatch(/It would not be uploaded|broken\.zip/u);
  expect(clean).toContain('No row has a mistake.');
  expect(text).not.toContain('No row has a mistake.');
});

test('a file is checked in the language of who sends it', async () => {
  const client = await served.signIn('viewer');
  await client.post('/language', { language: 'de', to: '/' });
  const form = new FormData();
  form.set('file', new File(['brand;oem\n;1\nBOSCH;2\n'], 'bad.csv'));
  const headers = { cookie: client.cookie(), origin: served.url };
  const reply = await fetch(`${served.url}/check`, { method: 'POST', body: form, headers });
  expect(await reply.text()).toContain('Die Marke fehlt.');
});

test.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=a'])(
  'a form for a file that says %s and cannot be read is refused as a mistake',
  async (type) => {
    const reply = await ops.post('/check', {}, { 'content-type': type });
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('Send it again.');
  },
);
