import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOf, goodRows } from '../../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { until } from '../../support/until.ts';

let served: ConsoleUnderTest;
let ops: Client;
let secret: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  const source = { type: 'push', pattern: '*.{csv,gz}' };
  served = await openConsole({ feeds: { north: { source } }, limits: { unpackedSize: '20MB' } });
  ops = await served.signIn('ops');
  secret = (await served.shop.offerline('token', 'add', 'supplier', '--push', 'north')).stdout.trim();
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** Sends the head of a push and what follows, byte for byte; gives the connection with all that is answered on it. */
async function send(name: string, headers: string[], body: string | Buffer = '', by = secret) {
  const { hostname, port, host } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  let said = '';
  let isOver = false;
  socket.setEncoding('utf8').on('data', (text: string) => (said += text));
  socket.on('close', () => (isOver = true));
  const path = `/api/v1/feeds/north/deliveries/${name}`;
  const head = [`PUT ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${by}`, ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  const answer = () => until(() => (/\r\n\r\n/u.test(said) || isOver ? `${said} ` : undefined));
  return { socket, said: () => said, answer };
}

function pushes(): { name: string; bytes: number; run: string }[] {
  using db = new DatabaseSync(join(served.shop.home, 'ledger.sqlite'), { readOnly: true });
  const rows = db.prepare('select name, bytes, run from pushed order by at').all();
  return rows as { name: string; bytes: number; run: string }[];
}

async function put(name: string, body: string, headers: Record<string, string> = {}, by = secret) {
  const reply = await fetch(`${served.url}/api/v1/feeds/north/deliveries/${name}`, {
    method: 'PUT',
    body,
    headers: { authorization: `Bearer ${by}`, ...headers },
  });
  return { status: reply.status, answer: (await reply.json()) as Record<string, unknown> };
}

test.each([
  [['Content-Length: -5'], /^HTTP\/1\.1 400 /u],
  [['Content-Length: five'], /^HTTP\/1\.1 400 /u],
  [['Content-Length: 0x10'], /^HTTP\/1\.1 400 /u],
  [['Content-Length: 5', 'Content-Length: 7'], /^HTTP\/1\.1 400 /u],
  [['Content-Length: 99999999999999999999999'], /^HTTP\/1\.1 (?:400|413) /u],
  [['Content-Length: 9007199254740991'], /^HTTP\/1\.1 413 /u],
  [['Content-Length: 5', 'Transfer-Encoding: chunked'], /^HTTP\/1\.1 400 /u],
  [['Transfer-Encoding: gzip, chunked'], /^HTTP\/1\.1 (?:400|415|501) /u],
  [['Content-Length: 5', 'Content-Range: bytes 0-4/5', 'Content-Range: bytes 0-4/9'], /^HTTP\/1\.1 400 /u],
  [['Content-Length: 5', 'Content-Range: bytes -1-4/5'], /^HTTP\/1\.1 400 /u],
  [['Content-Length: 5', 'Content-Range: bytes 4-0/5'], /^HTTP\/1\.1 400 /u],
])('%j is refused, and nothing is taken', async (headers, status) => {
  const before = pushes().length;
  const asked = await send('odd.csv', headers, '5\r\nbrand\r\n');
  expect(await asked.answer()).toMatch(status);
  asked.socket.destroy();
  expect(pushes()).toHaveLength(before);
});

test('trailers say nothing of a file that comes in chunks', async () => {
  const list = goodRows(20, 'north');
  const chunks = `${list.length.toString(16)}\r\n${list}\r\n0\r\nIdempotency-Key: k\r\nContent-Range: bytes 0-0/9\r\n\r\n`;
  const asked = await send('trailers.csv', ['Transfer-Encoding: chunked'], chunks);
  expect(await asked.answer()).toMatch(/^HTTP\/1\.1 202 /u);
  expect(pushes().at(-1)).toMatchObject({ name: 'trailers.csv', bytes: list.length });
});

test('a piece in chunks that is longer than its range says is refused, and what came before it stays', async () => {
  const range = (text: string) => ({ 'content-range': text });
  expect((await put('long.csv', 'brand;o', range('bytes 0-6/20'))).status).toBe(308);
  for (const [size, status] of [
    [8, 400],
    [40, 400],
  ] as const) {
    const headers = ['Transfer-Encoding: chunked', 'Content-Range: bytes 7-9/20'];
    const asked = await send('long.csv', headers, `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`);
    expect(await asked.answer()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
    expect(await put('long.csv', '', range('bytes */20'))).toMatchObject({ status: 308, answer: { received: 7 } });
  }
});

test('of two files of one name that come at once each is a delivery, and the bytes of neither are in the other', async () => {
  const lists = [goodRows(3000, 'one'), goodRows(3000, 'two')];
  const taken = await Promise.all(lists.map((list) => put('same.csv', list)));
  expect(taken.map(({ status }) => status)).toEqual([202, 202]);
  expect(new Set(taken.map(({ answer }) => answer['sha256'])).size).toBe(2);
  // In parts they have one place: the newer one ends the older one.
  const whole = { 'content-range': `bytes 0-${lists[0]!.length - 1}/${lists[0]!.length}` };
  const parts = await Promise.all(lists.map((list) => put('parts.csv', list, whole)));
  const good = parts.filter(({ status }) => status === 202);
  expect(good.length).toBeGreaterThan(0);
  for (const { status } of parts) expect([202, 409]).toContain(status);
  for (const { answer } of good) expect(taken.map((one) => one.answer['sha256'])).toContain(answer['sha256']);
});

test.each([
  ['..', 400, ''],
  ['%2e%2e', 400, ''],
  ['a%00b.csv', 202, 'ab.csv'],
  ['..%2f..%2f..%2fetc%2fcron.csv', 202, 'cron.csv'],
  ['..%5c..%5cwin.csv', 202, 'win.csv'],
  ['list%E2%80%AEvsc.exe.csv', 202, 'listvsc.exe.csv'],
  ['%3Cimg%20src=x%20onerror=alert(1)%3E.csv', 202, '<img src=x onerror=alert(1)>.csv'],
  [`${'l'.repeat(400)}.csv`, 202, `${'l'.repeat(196)}.csv`],
  [`${'%F0%9F%9A%97'.repeat(90)}.csv`, 202, `${'🚗'.repeat(90)}.csv`],
  // As macOS and as all others write it.
  ['Pru%CC%88fung.csv', 202, 'Prüfung.csv'],
  ['Pr%C3%BCfung2.csv', 202, 'Prüfung2.csv'],
])('the name %s is made safe', async (name, status, kept) => {
  const list = `${goodRows(20, 'north')}BOSCH;\nATE;${name.length}\n`;
  // fetch resolves dots itself.
  const asked = await send(name, [`Content-Length: ${Buffer.byteLength(list)}`], list);
  const said = await asked.answer();
  expect(said).toMatch(new RegExp(`^HTTP/1\\.1 (?:${status}|${status === 400 ? 404 : status}) `, 'u'));
  if (status !== 202) return;
  const { name: found, run } = pushes().at(-1)!;
  expect(found).toBe(kept);
  expect((await endOf(run, ops)).outcome).not.toBe('failed');
  expect(await ops.page(`/runs/${run}`)).not.toMatch(/<img src=x|\u202E/u);
});

test('the same name in another composition of its letters takes the place of the one before', async () => {
  const first = await put('Gro%C3%9F%C3%BC.csv', goodRows(21, 'north'));
  const second = await put('Gro%C3%9Fu%CC%88.csv', goodRows(21, 'north'));
  expect([first.status, second.status]).toEqual([202, 200]);
  expect(second.answer).toMatchObject({ again: true, delivery: first.answer['delivery'] });
});

test('a bomb is taken as it is, and its run rejects it', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'x'));
  const asked = await send('bomb.csv.gz', [`Content-Length: ${bomb.length}`], bomb);
  expect(await asked.answer()).toMatch(/^HTTP\/1\.1 202 /u);
  expect(await endOf(pushes().at(-1)!.run, ops)).toMatchObject({ outcome: 'rejected' });
});

test('a token that is revoked while its file comes delivers nothing', async () => {
  const list = goodRows(30, 'late');
  const leaked = (await served.shop.offerline('token', 'add', 'leaked', '--push', 'north')).stdout.trim();
  const before = pushes().length;
  const asked = await send('late.csv', [`Content-Length: ${list.length}`], list.slice(0, 100), leaked);
  const listed = JSON.parse((await served.shop.offerline('token', 'list', '--json')).stdout) as {
    id: string;
    name: string;
  }[];
  const { id } = listed.find(({ name }) => name === 'leaked')!;
  expect((await served.shop.offerline('token', 'revoke', id)).status).toBe(0);
  asked.socket.write(list.slice(100));
  expect(await asked.answer()).toMatch(/^HTTP\/1\.1 401 [\s\S]*has ended while the file came/u);
  expect(pushes()).toHaveLength(before);
});

test('a file whose sender stops is given up after a while, and its connection is answered', async () => {
  const asked = await send('stops.csv', ['Transfer-Encoding: chunked'], '5\r\nbrand\r\n');
  const said = await until(() => (asked.said() === '' ? undefined : asked.said()), 40);
  expect(said).toMatch(/^HTTP\/1\.1 408 [\s\S]*Nothing came for 20 s/u);
}, 60_000);
