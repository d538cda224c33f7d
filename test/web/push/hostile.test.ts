import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOf, goodRows } from '../../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { until } from '../../support/until.ts';

const MB = 1_000_000;
const PUSHED = { source: { type: 'push', pattern: '*.csv' } };

let served: ConsoleUnderTest;
let ops: Client;
let secret: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  served = await openConsole({ feeds: { north: PUSHED, south: PUSHED }, limits: { fileSize: '8MB' } });
  ops = await served.signIn('ops');
  const { stdout } = await served.shop.offerline('token', 'add', 'supplier', '--push', 'north,south');
  secret = stdout.trim();
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** Sends the head of a push, and gives the connection with all that is answered on it. */
async function begin(path: string, ...headers: string[]) {
  const { hostname, port, host } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  let said = '';
  socket.setEncoding('latin1').on('data', (text: string) => (said += text));
  const head = [`PUT /api/v1/feeds/${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${secret}`, ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, said: () => said, answer: (status: RegExp) => until(() => (status.test(said) ? said : undefined)) };
}

/** What the ledger has of pushes. */
function pushes(): { name: string; run: string }[] {
  using ledger = new DatabaseSync(join(served.shop.home, 'ledger.sqlite'), { readOnly: true });
  return ledger.prepare('select name, run from pushed order by at').all() as { name: string; run: string }[];
}

/** The folders of work that is under way in the archive. */
function drafts(): string[] {
  const temp = join(served.shop.home, 'archive', 'tmp');
  return existsSync(temp) ? readdirSync(temp) : [];
}

test('whoever asks first is refused before the file is sent, else told to send it', async () => {
  const expecting = ['Expect: 100-continue', 'Content-Length: 7'];
  for (const [path, more, status] of [
    ['nowhere/deliveries/a.csv', [], 404],
    ['north/deliveries/a.pdf', [], 422],
    ['north/deliveries/a.csv', ['Content-Encoding: br'], 415],
  ] as const) {
    const asked = await begin(path, ...expecting, ...more);
    expect(await asked.answer(/^HTTP\/1\.1 \d/u)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
  }
  const large = await begin('north/deliveries/a.csv', 'Expect: 100-continue', `Content-Length: ${9 * MB}`);
  expect(await large.answer(/^HTTP\/1\.1 \d/u)).toMatch(/^HTTP\/1\.1 413 /u);
  const let_ = await begin('north/deliveries/a.csv', ...expecting);
  await let_.answer(/^HTTP\/1\.1 100 /u);
  let_.socket.write('brand;1');
  expect(await let_.answer(/HTTP\/1\.1 2\d\d/u)).toMatch(/HTTP\/1\.1 202 /u);
});

test('a connection that is cut leaves nothing, here or in the ledger', async () => {
  const before = pushes().length;
  const cut = await begin('north/deliveries/cut.csv', 'Content-Length: 5000000');
  cut.socket.write(Buffer.alloc(2 * MB, 'x'));
  await until(() => (drafts().length > 0 ? true : undefined));
  cut.socket.destroy();
  await until(() => (drafts().length === 0 ? true : undefined));
  const chunked = await begin('north/deliveries/cut.csv', 'Transfer-Encoding: chunked');
  chunked.socket.write('5\r\nbrand\r\n');
  await until(() => (drafts().length > 0 ? true : undefined));
  chunked.socket.destroy();
  await until(() => (drafts().length === 0 ? true : undefined));
  expect(pushes()).toHaveLength(before);
});

test('a file whose length nobody said is refused once it is too large', async () => {
  const endless = await begin('north/deliveries/endless.csv', 'Transfer-Encoding: chunked');
  const piece = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
  for (let sent = 0; sent < 9 && !endless.socket.destroyed; sent += 1) endless.socket.write(piece);
  expect(await endless.answer(/^HTTP\/1\.1 \d/u)).toMatch(/^HTTP\/1\.1 413 [\s\S]*application\/problem\+json/u);
  await until(() => (drafts().length === 0 ? true : undefined));
});

/** Megabytes of memory that the program uses. */
function memory(): number {
  const status = readFileSync(`/proc/${served.up().child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1024;
}

test.runIf(existsSync('/proc/self/status'))(
  '200 pushes at once take little memory, and pages are answered',
  async () => {
    const body = Buffer.from(goodRows(200_000, 'many'));
    const put = async (name: string) => {
      const reply = await fetch(`${served.url}/api/v1/feeds/south/deliveries/${name}.csv`, {
        method: 'PUT',
        body: Buffer.concat([body, Buffer.from(`BOSCH;own ${name}\n`)]),
        headers: { authorization: `Bearer ${secret}` },
      });
      await reply.arrayBuffer();
      return reply.status;
    };
    // What one run takes, of which this is not about, is there before: threads that read, a dataset that is composed.
    expect(await put('first')).toBe(202);
    await endOf(pushes().at(-1)!.run, ops);
    const before = memory();
    let most = before;
    const watching = setInterval(() => (most = Math.max(most, memory())), 20);
    const pushing = Array.from({ length: 200 }, (_, at) => put(`list-${at}`));
    expect(await ops.page('/runs')).toMatch(/south/u);
    const statuses = await Promise.all(pushing);
    clearInterval(watching);
    expect(statuses.filter((status) => status !== 202)).toEqual([]);
    // 600 MB came.
    expect(most - before).toBeLessThan(500);
    const ofSouth = pushes().filter(({ name }) => name.startsWith('list-'));
    expect(ofSouth).toHaveLength(200);
    expect(new Set(ofSouth.map(({ run }) => run)).size).toBeLessThan(50);
  },
  300_000,
);
