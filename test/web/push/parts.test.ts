import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openConsole, type ConsoleUnderTest } from '../../support/console.ts';
import { until } from '../../support/until.ts';

const MB = 1024 * 1024;

let served: ConsoleUnderTest;
let secret: string;

beforeAll(async () => {
  served = await openConsole({
    feeds: { north: { source: { type: 'push', pattern: '*.csv' } } },
    limits: { fileSize: '100MB' },
  });
  const { stdout } = await served.shop.offerline('token', 'add', 'supplier', '--push', 'north');
  secret = stdout.trim();
});

async function put(name: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const reply = await fetch(`${served.url}/api/v1/feeds/north/deliveries/${name}`, {
    method: 'PUT',
    body,
    headers: { authorization: `Bearer ${secret}`, ...headers },
  });
  const answer = (await reply.json()) as Record<string, unknown>;
  const retryAfter = reply.headers.get('retry-after');
  return { status: reply.status, range: reply.headers.get('range'), retryAfter, answer };
}

function parts(): string[] {
  const folder = join(served.shop.home, 'pushes');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, 'part')) : [];
}

const list = Buffer.from(`brand;oem\n${Array.from({ length: 2000 }, (_, at) => `BOSCH;${at}\n`).join('')}`);
const rangeOf = (from: number, to: number, total = list.length) => ({
  'content-range': `bytes ${from}-${to - 1}/${total}`,
});

test('a file that comes piece by piece is one delivery, whose bytes are all there', async () => {
  expect(await put('pieces.csv', list.subarray(0, 5000), rangeOf(0, 5000))).toMatchObject({
    status: 308,
    range: 'bytes=0-4999',
    answer: { received: 5000, total: list.length },
  });
  const asked = await put('pieces.csv', '', { 'content-range': `bytes */${list.length}` });
  expect(asked).toMatchObject({ status: 308, range: 'bytes=0-4999' });
  const gap = await put('pieces.csv', list.subarray(6000), rangeOf(6000, list.length));
  expect(gap).toMatchObject({
    status: 409,
    range: 'bytes=0-4999',
    answer: { detail: expect.stringMatching(/byte 5000/u) as string },
  });
  // It begins where it was sent before, too.
  const last = await put('pieces.csv', list.subarray(4000), rangeOf(4000, list.length));
  const sha256 = createHash('sha256').update(list).digest('hex');
  expect(last).toMatchObject({ status: 202, answer: { bytes: list.length, sha256, again: false } });
  expect(parts()).toEqual([]);
  expect(await put('pieces.csv', list)).toMatchObject({ status: 200, answer: { sha256, again: true } });
});

test('tokens of one name do not go on with what the other has begun', async () => {
  const { stdout } = await served.shop.offerline('token', 'add', 'supplier', '--push', 'north');
  const asked = { 'content-range': `bytes */${list.length}` };
  expect((await put('theirs.csv', list.subarray(0, 5000), rangeOf(0, 5000))).status).toBe(308);
  const other = { ...asked, authorization: `Bearer ${stdout.trim()}` };
  expect(await put('theirs.csv', '', other)).toMatchObject({ status: 308, range: null });
  expect(await put('theirs.csv', '', asked)).toMatchObject({ range: 'bytes=0-4999' });
  expect((await put('theirs.csv', list.subarray(5000), rangeOf(5000, list.length))).status).toBe(202);
});

test('nothing has come of a file that nobody has begun', async () => {
  expect(await put('nothing.csv', '', { 'content-range': 'bytes */1000' })).toMatchObject({ status: 308, range: null });
  expect(await put('nothing.csv', 'x', { 'content-range': 'bytes 5-5/10' })).toMatchObject({ status: 409 });
});

test('two versions of a file are not put together when its digest was sent', async () => {
  const digest = { 'repr-digest': `sha-256=:${createHash('sha256').update(list).digest('base64')}:` };
  await put('mixed.csv', Buffer.alloc(5000, 'x'), rangeOf(0, 5000));
  const mixed = await put('mixed.csv', list.subarray(5000), { ...rangeOf(5000, list.length), ...digest });
  expect(mixed).toMatchObject({ status: 400, answer: { detail: expect.stringMatching(/digest/u) as string } });
  expect(parts()).toEqual([]);
});

test.each([
  ['bytes 0-9/5', 400],
  ['bytes 0-1/9', 400],
  ['lines 0-9/10', 400],
  ['bytes 0-9/*', 400],
  ['bytes 0-9/999999999999', 413],
])('Content-Range: %s is refused with %i', async (range, status) => {
  expect((await put('range.csv', '0123456789', { 'content-range': range })).status).toBe(status);
});

test('a large file whose connection is cut goes on where it ended', async () => {
  const large = Buffer.concat([list, Buffer.alloc(65 * MB, 'BOSCH;1 \n')]);
  const { hostname, port, host } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  const path = '/api/v1/feeds/north/deliveries/large.csv';
  const head = [`PUT ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${secret}`];
  socket.write(`${[...head, `Content-Length: ${large.length}`].join('\r\n')}\r\n\r\n`);
  socket.write(large.subarray(0, 9 * MB));
  await until(() => (parts().some((one) => existsSync(one) && statSync(one).size > 8 * MB) ? true : undefined));
  socket.destroy();
  const { range } = await put('large.csv', '', { 'content-range': `bytes */${large.length}` });
  const come = Number(/-(\d+)$/u.exec(range ?? '')?.[1]) + 1;
  expect(come).toBeGreaterThan(8 * MB);
  const rest = await put('large.csv', large.subarray(come), rangeOf(come, large.length, large.length));
  const sha256 = createHash('sha256').update(large).digest('hex');
  expect(rest).toMatchObject({ status: 202, answer: { bytes: large.length, sha256 } });
  expect(parts()).toEqual([]);
});

test('what the archive has of a file that was refused at last is not written to by the next of this name', async () => {
  const archived = (bytes: Buffer) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return join(served.shop.home, 'archive', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  };
  const [first, second, third] = ['1', '2', '3'].map((digit) => Buffer.from(`brand;oem\nBOSCH;${digit}\n`));
  const key = { 'idempotency-key': 'one key' };
  expect((await put('keyed.csv', first!, key)).status).toBe(202);
  const whole = { ...key, ...rangeOf(0, second!.length, second!.length) };
  expect(await put('keyed.csv', second!, whole)).toMatchObject({ status: 422 });
  expect((await put('keyed.csv', third!.subarray(0, 15), rangeOf(0, 15, third!.length))).status).toBe(308);
  expect(readFileSync(archived(second!))).toEqual(second);
  expect((await put('keyed.csv', third!, rangeOf(0, third!.length, third!.length))).status).toBe(202);
});

test('while another console of this machine writes a part it is left alone; one that was killed keeps nobody away', async () => {
  expect((await put('shared.csv', list.subarray(0, 5000), rangeOf(0, 5000))).status).toBe(308);
  const writer = join(dirname(parts()[0]!), 'writer');
  const rest = () => put('shared.csv', list.subarray(5000), rangeOf(5000, list.length));
  writeFileSync(writer, String(process.pid));
  expect(await rest()).toMatchObject({
    status: 409,
    answer: { detail: expect.stringContaining('Another console') as string },
  });
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(writer, String(pid));
  expect(await rest()).toMatchObject({ status: 202 });
  expect(parts()).toEqual([]);
});

test('a sender has a few parts at most, also when it begins many at once, and each is thrown away after a day', async () => {
  const begin = (at: number) => put(`part-${at}.csv`, 'x', { 'content-range': 'bytes 0-0/9' });
  const begun = await Promise.all(Array.from({ length: 24 }, (_, at) => begin(at)));
  expect(begun.filter(({ status }) => status === 308)).toHaveLength(16);
  expect(begun.filter(({ status }) => status === 429)).toHaveLength(8);
  expect(await begin(30)).toMatchObject({
    status: 429,
    retryAfter: '60',
    answer: { detail: expect.stringContaining('16 of your files have come in part') as string },
  });
  const yesterday = Date.now() / 1000 - 90_000;
  const [old, older] = parts();
  utimesSync(old!, yesterday, yesterday);
  expect((await begin(31)).status).toBe(308);
  expect(existsSync(old!)).toBe(false);
  utimesSync(older!, yesterday, yesterday);
  await served.shop.offerline('prune');
  expect(parts()).toHaveLength(15);
});

test('a part that goes on after more than a day keeps the bytes that have come', async () => {
  const whole = Buffer.concat([Buffer.from('brand;oem\nBOSCH;1\n'), list.subarray(10)]);
  await put('late.csv', whole.subarray(0, 5000), rangeOf(0, 5000, whole.length));
  const old = Date.now() / 1000 - 25 * 3600;
  for (const part of parts()) utimesSync(part, old, old);
  const last = await put('late.csv', whole.subarray(5000), rangeOf(5000, whole.length, whole.length));
  expect(last.status).toBe(202);
  const sha256 = createHash('sha256').update(whole).digest('hex');
  expect(last.answer).toMatchObject({ sha256 });
});
