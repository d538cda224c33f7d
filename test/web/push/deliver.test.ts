import { beforeAll, expect, test } from 'vitest';
import { endOf, goodRows } from '../../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';

let served: ConsoleUnderTest;
let ops: Client;

beforeAll(async () => {
  served = await openConsole({ feeds: { north: { source: { type: 'push', pattern: '*.csv' } }, folder: {} } });
  ops = await served.signIn('ops');
});

/** Sends a file with the form of the page. */
async function send(feed: string, name: string, content: string, by: Client) {
  const form = new FormData();
  form.set('feed', feed);
  form.set('file', new File([content], name));
  const headers = { cookie: by.cookie(), origin: served.url };
  const reply = await fetch(`${served.url}/check/deliver`, { method: 'POST', body: form, headers, redirect: 'manual' });
  const page = await reply.text();
  return { status: reply.status, page, file: /name="file" value="([\w-]+)"/u.exec(page)?.[1] ?? '' };
}

test('a file is checked first, and delivered once somebody says so', async () => {
  expect(await ops.page('/check')).toMatch(/Files can be delivered here to: north\. The other feeds fetch theirs/u);
  const asked = await send('north', 'prices.csv', goodRows(20, 'north'), ops);
  expect(asked.page).toMatch(/Deliver prices\.csv to the feed north\?/u);
  expect(await (await ops.get('/api/v1/runs?feed=north')).json()).toEqual([]);
  const done = await ops.post('/check/deliver/confirm', { file: asked.file });
  const run = /^\/runs\/([\w-]+)\?done=deliver/u.exec(done.headers.get('location') ?? '')?.[1] ?? '';
  expect(await endOf(run, ops)).toMatchObject({ outcome: 'live', feed: 'north' });
  expect(await ops.page('/audit?action=push')).toMatch(/ops1[\s\S]*prices\.csv/u);
  expect((await ops.post('/check/deliver/confirm', { file: asked.file })).status).toBe(409);
});

test('what a run would reject is not delivered, and says why', async () => {
  const { page, file } = await send('north', 'empty.csv', '', ops);
  expect(page).toMatch(/would reject this file, so it is not delivered/u);
  expect(file).toBe('');
});

test.each([
  ['', 'prices.csv', 400, /Choose the feed/u],
  ['folder', 'prices.csv', 409, /source of type directory/u],
  ['north', 'prices.pdf', 422, /does not fit/u],
])('to the feed "%s", %s is refused', async (feed, name, status, why) => {
  const refused = await send(feed, name, goodRows(3), ops);
  expect(refused.status).toBe(status);
  expect(refused.page).toMatch(why);
});

test('nobody delivers what somebody else has checked, and who only looks is offered nothing', async () => {
  const { file } = await send('north', 'mine.csv', goodRows(21, 'north'), ops);
  const other = await served.signIn('ops');
  expect((await other.post('/check/deliver/confirm', { file })).status).toBe(409);
  const viewer = await served.signIn('viewer');
  expect(await viewer.page('/check')).not.toMatch(/Deliver this file/u);
  expect((await send('north', 'a.csv', 'x', viewer)).status).toBe(403);
});
