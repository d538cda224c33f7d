import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { endOf, goodRows } from '../../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { rehearse } from '../../support/rehearse.ts';

const PUSHED = { source: { type: 'push', pattern: '*.{csv,zip}' } };

let served: ConsoleUnderTest;
let admin: Client;
let secret: string;

beforeAll(async () => {
  served = await openConsole({
    feeds: { north: PUSHED, south: PUSHED, folder: {} },
    limits: { fileSize: '1MB' },
  });
  admin = await served.signIn('admin');
  secret = await token('--push', 'north');
});

async function token(...args: string[]): Promise<string> {
  const { stdout, stderr, status } = await served.shop.offerline('token', 'add', 'supplier', ...args);
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

type Pushed = Record<string, unknown> & { delivery: string; run: string; sha256: string };

async function push(
  path: string,
  body: string | Buffer | ReadableStream,
  headers: Record<string, string> = {},
  by = secret,
) {
  const reply = await fetch(`${served.url}/api/v1/feeds/${path}`, {
    method: 'PUT',
    body,
    headers: { authorization: `Bearer ${by}`, ...headers },
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });
  return {
    status: reply.status,
    type: reply.headers.get('content-type') ?? '',
    retryAfter: reply.headers.get('retry-after'),
    answer: (await reply.json()) as Pushed,
  };
}

test('a file that is pushed is a delivery, and its run makes it live', async () => {
  const list = goodRows(30, 'north');
  const { status, answer } = await push('north/deliveries/prices.csv', list);
  expect(status).toBe(202);
  const sha256 = createHash('sha256').update(list).digest('hex');
  expect(answer).toMatchObject({ feed: 'north', name: 'prices.csv', bytes: list.length, sha256, again: false });
  expect(answer['link']).toBe(`${served.url}/runs/${answer.run}`);
  expect(await endOf(answer.run, admin)).toMatchObject({ outcome: 'live', feed: 'north' });
  expect(await admin.page(`/runs/${answer.run}`)).toMatch(/made by a push/u);
  expect(await admin.page('/audit?action=push')).toMatch(/token supplier/u);
});

test('the same bytes are one delivery, by their hash or by the key of their sender', async () => {
  const list = goodRows(31, 'north');
  const first = await push('north/deliveries/again.csv', list);
  expect(first.status).toBe(202);
  const second = await push('north/deliveries/again.csv', list);
  expect(second).toMatchObject({ status: 200, answer: { again: true, delivery: first.answer.delivery } });
  const keyed = await push('north/deliveries/again.csv', goodRows(32, 'north'), { 'idempotency-key': 'k1' });
  expect(keyed.status).toBe(202);
  await push('north/deliveries/again.csv', list);
  const late = await push('north/deliveries/again.csv', goodRows(32, 'north'), { 'idempotency-key': 'k1' });
  expect(late).toMatchObject({ status: 200, answer: { delivery: keyed.answer.delivery } });
  const other = await push('north/deliveries/again.csv', 'brand;oem\nATE;1\n', { 'idempotency-key': 'k1' });
  expect(other).toMatchObject({ status: 422, type: expect.stringContaining('application/problem+json') as string });
});

test('a rehearsal of the feed reads what was pushed last', async () => {
  const full = await push('north/deliveries/rehearsed.csv', goodRows(40, 'north'));
  expect(await endOf(full.answer.run, admin)).toMatchObject({ outcome: 'live' });
  const small = await push('north/deliveries/rehearsed.csv', goodRows(2, 'north'));
  expect(await endOf(small.answer.run, admin)).toMatchObject({ outcome: 'held' });
  expect(await rehearse(served.shop, 'north')).toMatchObject({ rehearsal: true, outcome: 'held' });
  const checked = await served.shop.offerline('check', '--feed', 'north', '--json');
  expect(JSON.parse(checked.stdout)).toMatchObject({ file: 'rehearsed.csv', rows: { accepted: 2 } });
  const check = (...args: string[]) => served.shop.offerline('check', ...args);
  expect(await check()).toMatchObject({ status: 2, stderr: expect.stringContaining('Name a file to check') as string });
  expect(await check('--feed', 'folder')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('source of type directory: name the file to check') as string,
  });
});

test('twenty pushes of the same bytes at once are one delivery', async () => {
  const list = goodRows(33, 'north');
  const all = await Promise.all(Array.from({ length: 20 }, () => push('north/deliveries/once.csv', list)));
  expect(new Set(all.map(({ answer }) => answer.delivery)).size).toBe(1);
  expect(all.filter(({ status }) => status === 202)).toHaveLength(1);
  expect(all.filter(({ status }) => status === 200)).toHaveLength(19);
});

test('a token to push can push to its feeds, and nothing else', async () => {
  expect((await push('south/deliveries/prices.csv', 'x')).status).toBe(404);
  const headers = { authorization: `Bearer ${secret}` };
  for (const path of ['/feeds', '/status', '/runs', '/openapi.json'])
    expect((await fetch(`${served.url}/api/v1${path}`, { headers })).status).toBe(403);
  const body = JSON.stringify({ reason: 'x' });
  for (const path of ['/feeds/north/run', '/feeds/north/pause'])
    expect((await fetch(`${served.url}/api/v1${path}`, { method: 'POST', headers, body })).status).toBe(403);
  const viewer = await token('--role', 'viewer');
  expect((await push('north/deliveries/prices.csv', 'x', {}, viewer)).status).toBe(403);
  expect((await push('north/deliveries/prices.csv', 'x', {}, 'ofl_nonsense')).status).toBe(401);
  expect((await push('south/deliveries/prices.csv', goodRows(9, 's'), {}, await token('--role', 'ops'))).status).toBe(
    202,
  );
});

test.each([
  ['folder/deliveries/a.csv', 'x', {}, 409, /source of type directory/u],
  ['nowhere/deliveries/a.csv', 'x', {}, 404, /no feed/u],
  ['north/deliveries/a.pdf', 'x', {}, 422, /does not fit/u],
  ['north/deliveries/%ff.csv', 'x', {}, 400, /UTF-8/u],
  ['north/deliveries/%00%0a', 'x', {}, 400, /name of a file/u],
  ['north/deliveries/a.csv', '', {}, 400, /is empty/u],
  ['north/deliveries/a.csv', Buffer.alloc(1_000_001), {}, 413, /limits\.fileSize/u],
  ['north/deliveries/a.csv', 'x', { 'content-encoding': 'gzip' }, 415, /Content-Encoding/u],
  ['north/deliveries/a.csv', 'x', { 'content-type': 'multipart/form-data; boundary=x' }, 415, /-T FILE/u],
  ['north/deliveries/a.csv', 'x', { 'idempotency-key': 'k'.repeat(256) }, 400, /255 characters/u],
  ['north/deliveries/a.csv', 'x', { 'repr-digest': 'sha-256=:AAAA:' }, 400, /digest/u],
])('%s is refused plainly', async (path, body, headers, status, detail) => {
  const found = await push(path, body, headers, await token('--role', 'ops'));
  expect(found).toMatchObject({ status, answer: { status, detail: expect.stringMatching(detail) as string } });
  expect(found.type).toContain('application/problem+json');
});
