import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';

let served: ConsoleUnderTest;
let ops: Client;
const sockets: Socket[] = [];

beforeAll(async () => {
  served = await openConsole({ feeds: { north: {} } });
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
