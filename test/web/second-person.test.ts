import { beforeAll, expect, test } from 'vitest';
import { deliverAndRun, endOf, goodRows, heldRun } from '../support/console-work.ts';
import { openConsole, PASSWORD, type Client, type ConsoleUnderTest } from '../support/console.ts';
import { readEvents } from '../support/event-stream.ts';
import { until } from '../support/until.ts';

let served: ConsoleUnderTest;
let anna: Client;
let bernd: Client;

beforeAll(async () => {
  served = await openConsole({
    logins: {
      main: { coalesce: '0s' },
      other: { coalesce: '0s', auth: { type: 'basic', user: 'o', password: 'secret' } },
    },
    feeds: { north: {}, south: {}, east: { login: 'other' } },
    managers: [{ email: 'south@example.com', feeds: ['south'] }],
    decisions: { approve: { second: ['maxRowDrop'] }, rollback: { second: true } },
  });
  anna = await served.signIn('ops');
  bernd = await served.signIn('ops');
});

const why = { reason: 'season end' };

/** What can be decided on a page, without markup. */
async function decisionsOn(path: string, client: Client): Promise<string> {
  const [section = ''] = /<section id="decide"[^]*?<\/section>/u.exec(await client.page(path)) ?? [];
  return withoutTags(section);
}

/** What a page says; names stand in their sentence. */
function withoutTags(markup: string): string {
  return markup
    .replaceAll(/<\/?bdi>/gu, '')
    .replaceAll(/<[^>]*>/gu, ' ')
    .replaceAll(/\s+/gu, ' ');
}

/** Where the form is sent whose button says this. */
async function formOf(button: string, path: string, client: Client): Promise<string> {
  const page = await client.page(path);
  const form = page.split('<form class="act"').find((one) => one.includes(`>${button}</button>`)) ?? '';
  return /action="([^"]+)"/u.exec(form)?.[1] ?? '';
}

/** A new token, and what asks the API with it. */
async function withToken(name: string) {
  const { stdout } = await served.shop.offerline('token', 'add', name, '--role', 'ops');
  return async (path: string, body?: object) => {
    const reply = await fetch(`${served.url}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${stdout.trim()}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, answer: (await reply.json()) as Record<string, unknown> };
  };
}

test('one person asks for an approval on the page of the run, and another agrees there', async () => {
  const run = await heldRun('north', anna, served);
  const page = `/runs/${run}`;
  expect(await decisionsOn(page, anna)).toContain('Nothing happens before a second person agrees.');
  const asked = await anna.post(await formOf('Ask for approval', page, anna), why);
  expect(asked.status).toBe(303);
  expect(await anna.page(asked.headers.get('location') ?? '')).toContain('Asked. A second person has to agree.');
  expect(await decisionsOn(page, anna)).toMatch(/ops1 asked for this: season end\. .* Withdraw the request/u);
  expect(await formOf('Agree and upload', page, anna)).toBe('');
  const agree = await formOf('Agree and upload', page, bernd);
  expect(agree).toMatch(/^\/requests\/[\w-]+\/agree$/u);
  expect((await anna.post(agree, why)).status).toBe(409);
  expect(await (await anna.get('/api/v1/status')).text()).toContain('ops1 asked for approval');
  expect((await bernd.post(agree, { reason: 'seen' })).status).toBe(303);
  expect(await endOf(run, bernd)).toMatchObject({ outcome: 'live', request: { by: 'ops1', ended: { by: 'ops2' } } });
  expect((await bernd.post(agree, { reason: 'seen' })).status).toBe(409);
  const audit = await anna.page('/audit?action=approve');
  expect(audit).toContain('seen (asked for by ops1: season end)');
  expect(await anna.page('/audit?action=ask-approve')).toContain('asked for approval');
});

test('one is withdrawn or declined, and only those who see the feed may do so', async () => {
  const run = await heldRun('south', anna, served);
  const page = `/runs/${run}`;
  const south = await served.signIn('manager', 'south@example.com');
  const stranger = await served.signIn('manager', 'else@example.com');
  const viewer = await served.signIn('viewer');
  await anna.post(`${page}/approve`, why);
  const decline = await formOf('Decline the request', page, south);
  expect((await stranger.post(decline, why)).status).toBe(404);
  expect((await viewer.post(decline, why)).status).toBe(403);
  expect(withoutTags(await viewer.page(page))).toContain('ops1 asked for this');
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await south.post(decline, why, foreign)).status).toBe(403);
  expect((await south.post(decline, why)).status).toBe(303);
  expect(await decisionsOn(page, bernd)).toContain('Ask for approval');
  await anna.post(`${page}/approve`, why);
  expect((await anna.post(await formOf('Withdraw the request', page, anna), why)).status).toBe(303);
  expect(await (await anna.get(`/api/v1/runs/${run}`)).json()).toMatchObject({
    outcome: 'held',
    request: { ended: { how: 'withdrawn' } },
  });
});

test('a rollback is asked for on the page of the login, and agreed to by those who may roll back', async () => {
  await deliverAndRun('east', goodRows(30), anna, served);
  await deliverAndRun('east', goodRows(31), anna, served);
  const page = '/logins/other';
  const reply = await anna.post(await formOf('Ask to roll back', page, anna), why);
  expect(reply.headers.get('location')).toBe('/logins/other?done=asked');
  expect(await decisionsOn(page, bernd)).toMatch(/ops1 asked for this: season end\. .* It goes back to upload/u);
  const agree = await formOf('Agree and upload', page, bernd);
  const manager = await served.signIn('manager', 'all@example.com');
  expect((await manager.post(agree, why)).status).toBe(404);
  expect((await bernd.post(agree, { reason: 'prices were wrong' })).status).toBe(303);
  await until(async () =>
    (await anna.page('/audit?action=rollback')).includes('asked for by ops1') ? true : undefined,
  );
});

test('programs are told with 202 that a second person has to agree, and agree with a token of their own', async () => {
  const run = await heldRun('north', anna, served);
  const [erp, shop] = [await withToken('erp'), await withToken('shop')];
  const asked = await erp(`/runs/${run}/approve`, why);
  expect(asked).toMatchObject({
    status: 202,
    answer: { asked: { action: 'approve', run, by: 'token erp', ended: null } },
  });
  const { request } = asked.answer['asked'] as { request: string };
  expect(await erp('/requests')).toMatchObject({ status: 200, answer: [{ request }] });
  expect(await erp(`/requests/${request}/agree`, why)).toMatchObject({ status: 409 });
  expect(await erp(`/runs/${run}/approve`, why)).toMatchObject({ status: 409 });
  expect(await shop('/requests/nothing/agree', why)).toMatchObject({ status: 404 });
  expect(await shop(`/requests/${request}/agree`, {})).toMatchObject({ status: 400 });
  expect(await shop(`/requests/${request}/agree`, why)).toMatchObject({ status: 200, answer: { woken: true } });
  expect(await shop(`/requests/${request}/decline`, why)).toMatchObject({ status: 409 });
  expect(await endOf(run, anna)).toMatchObject({ outcome: 'live' });
  const { answer } = await erp('/openapi.json');
  expect(answer).toMatchObject({ paths: { '/runs/{run}/approve': { post: { responses: { 202: {} } } } } });
});

test('names stand apart from the direction of the sentence, not with it', async () => {
  const run = await heldRun('north', anna, served);
  await anna.post(`/runs/${run}/approve`, { reason: 'סוף העונה' });
  const page = await bernd.page(`/runs/${run}`);
  expect(page).toContain(
    '<p class="say waiting"><bdi>ops1</bdi> asked for this: <bdi>סוף העונה</bdi>. A second person has to agree by ',
  );
  await bernd.post(await formOf('Decline the request', `/runs/${run}`, bernd), why);
});

test('what was asked for ends when whoever asked is disabled, or when the token is revoked', async () => {
  const run = await heldRun('north', anna, served);
  const name = await served.addUser('ops');
  const carl = served.visitor();
  await carl.post('/sign-in', { name, password: PASSWORD });
  await carl.post(`/runs/${run}/approve`, why);
  const agree = await formOf('Agree and upload', `/runs/${run}`, bernd);
  await served.shop.offerline('user', 'disable', name);
  const refused = await bernd.post(agree, { reason: 'seen' });
  expect(refused.status).toBe(409);
  expect(await refused.text()).toContain(`${name}, who asked, has been disabled`);
  const { stdout } = await served.shop.offerline('token', 'add', 'gone', '--role', 'ops', '--json');
  const { id, token } = JSON.parse(stdout) as { id: string; token: string };
  const asked = await fetch(`${served.url}/api/v1/runs/${run}/approve`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(why),
  });
  expect(asked.status).toBe(202);
  expect(await asked.json()).toMatchObject({ asked: { by: 'token gone' }, nobodyElse: false });
  const again = await formOf('Agree and upload', `/runs/${run}`, bernd);
  await served.shop.offerline('token', 'revoke', id);
  expect(await (await bernd.post(again, { reason: 'seen' })).text()).toContain('token gone, which asked, is not valid');
  expect(await endOf(run, anna)).toMatchObject({ outcome: 'held' });
});

test('where nobody else may agree, whoever asks is told', async () => {
  const lonely = await openConsole({
    logins: { main: { coalesce: '0s' } },
    feeds: { north: {} },
    decisions: { approve: { second: true }, rollback: { second: true } },
  });
  const only = await lonely.signIn('ops');
  const run = await heldRun('north', only, lonely);
  const page = `/runs/${run}`;
  expect(await decisionsOn(page, only)).toContain('Nobody else may agree to this in the console');
  await only.post(await formOf('Ask for approval', page, only), why);
  expect(await decisionsOn(page, only)).toContain('Nobody else may agree to this in the console');
  const doctor = await lonely.shop.offerline('doctor', '--json');
  expect(doctor.stdout).toContain(
    'warning: a second person has to agree to approvals of north, and in the console only ops1 may: add a user with `offerline user add`',
  );
  await lonely.signIn('ops');
  expect(await decisionsOn(page, only)).not.toContain('Nobody else');
});

test('it is said in the language of the reader', async () => {
  const run = await heldRun('south', anna, served);
  await anna.post(`/runs/${run}/approve`, why);
  await bernd.post('/language', { language: 'de', to: '/' });
  expect(await decisionsOn(`/runs/${run}`, bernd)).toMatch(
    /ops1 bittet darum: season end\. .* Zustimmen und hochladen/u,
  );
  const own = await served.signIn('ops');
  await own.post('/language', { language: 'de', to: '/' });
  await own.post(await formOf('Anfrage ablehnen', `/runs/${run}`, own), { reason: 'nein' });
  const over = await bernd.post(`/runs/${run}/approve`, why);
  expect(over.headers.get('location')).toContain('done=asked');
  const page = await bernd.page(over.headers.get('location') ?? '');
  expect(page).toContain('Eine zweite Person muss zustimmen.');
  await bernd.post('/language', { language: 'en', to: '/' });
});

test('a page that stays open shows its visitor what they may do, whoever else has it open', async () => {
  const run = await heldRun('north', anna, served);
  const page = `/runs/${run}`;
  const follow = async (client: Client) => {
    const stream = readEvents((await client.get(`/live?of=${encodeURIComponent(page)}&at=`)).body!);
    await stream.next();
    return stream;
  };
  const streams = [await follow(anna), await follow(bernd)];
  await anna.post(await formOf('Ask for approval', page, anna), why);
  const [own = '', others = ''] = await Promise.all(
    streams.map((stream) =>
      until(async () => {
        const text = withoutTags((await stream.next())?.cells['report'] ?? '');
        return text.includes('ops1 asked for this') ? text : undefined;
      }),
    ),
  );
  expect([own.includes('Withdraw the request'), own.includes('Agree and upload')]).toEqual([true, false]);
  expect([others.includes('Withdraw the request'), others.includes('Agree and upload')]).toEqual([false, true]);
  await Promise.all(streams.map((stream) => stream.close()));
});
