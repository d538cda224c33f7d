import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodRows } from '../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';
import { until } from '../support/until.ts';

let served: ConsoleUnderTest;
let ops: Client;
const sockets: Socket[] = [];

beforeAll(async () => {
  served = await openConsole({ feeds: { north: {}, south: {} } });
  ops = await served.signIn('ops');
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

async function connectTo(): Promise<Socket> {
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

test('a thousand connections that say nothing keep nobody from the pages', async () => {
  await Promise.all(Array.from({ length: 1000 }, connectTo));
  expect(await ops.page('/')).toMatch(/north/u);
});

test('hundreds of requests at once on one connection are too many, and it is closed', async () => {
  const socket = await connectTo();
  const request = `GET / HTTP/1.1\r\nHost: ${new URL(served.url).host}\r\nCookie: ${ops.cookie()}\r\n\r\n`;
  const closed = once(socket, 'close');
  socket.resume().write(request.repeat(300));
  await closed;
  expect(await ops.page('/')).toMatch(/north/u);
});

test('two hundred pages that nobody reads keep nobody from the others', async () => {
  const request = `GET / HTTP/1.1\r\nHost: ${new URL(served.url).host}\r\nCookie: ${ops.cookie()}\r\n\r\n`;
  for (let at = 0; at < 200; at += 1) {
    const socket = await connectTo();
    socket.pause().write(request);
  }
  expect(await ops.page('/runs')).toMatch(/runs/u);
});

/** A file of which most rows have a mistake. */
const MISTAKEN = `${goodRows(20)}${Array.from({ length: 10_000 }, (_, at) => `;WITHOUT A BRAND ${(at * 7919) % 104_729}\n`).join('')}`;

/** Asks only for the heads of an address, several at a time; gives the statuses. */
async function heads(path: string, count: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  const one = async () => {
    const reply = await fetch(`${served.url}${path}`, { method: 'HEAD', headers: { cookie: ops.cookie() } });
    statuses.add(reply.status);
  };
  for (let at = 0; at < count; at += 20) await Promise.all(Array.from({ length: 20 }, one));
  return statuses;
}

test('who asks only for the head of a live stream takes no place of an open page', async () => {
  expect(await heads('/live?of=/', 2020)).toEqual(new Set([200]));
  const leaving = new AbortController();
  const reply = await fetch(`${served.url}/live?of=/`, { headers: { cookie: ops.cookie() }, signal: leaving.signal });
  expect(reply.status).toBe(200);
  leaving.abort();
});

test.runIf(process.platform === 'linux')('who asks only for the head of a download leaves no file open', async () => {
  served.shop.deliver('north', 'north.csv', MISTAKEN);
  const { run } = await served.shop.ingest('north');
  const whole = await ops.get(`/runs/${run}/report.xlsx`);
  // A stream reads a smaller file at once, and closes it.
  expect((await whole.bytes()).length).toBeGreaterThan(100_000);
  expect(await heads(`/runs/${run}/report.xlsx`, 20)).toEqual(new Set([200]));
  const folder = `/proc/${served.up().child.pid}/fd`;
  const isOpen = () => readdirSync(folder).some((number) => linkOf(`${folder}/${number}`).endsWith('.xlsx'));
  await until(() => (isOpen() ? undefined : true));
});

test('of many who ask for the same workbook two make it, and the others get it', async () => {
  served.shop.deliver('south', 'south.csv', MISTAKEN);
  const { run } = await served.shop.ingest('south');
  const ours = new RegExp(`^offerline-read-.*-${served.up().child.pid}-\\w+$`, 'u');
  let most = 0;
  const look = () => (most = Math.max(most, readdirSync(tmpdir()).filter((name) => ours.test(name)).length));
  const looking = setInterval(look, 5);
  const replies = await Promise.all(Array.from({ length: 10 }, () => ops.get(`/runs/${run}/report.xlsx`)));
  clearInterval(looking);
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});

/** Where a link leads; nowhere when it has gone. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
