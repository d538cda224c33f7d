import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { markKnown, LIMITS } from '../../../src/web/http/connections.ts';
import { listen } from '../../../src/web/http/listen.ts';
import { atEnd } from '../../support/at-end.ts';
import { memoryLog } from '../../support/memory-log.ts';

/** A console of one page, which takes a body, and knows those who say that they are signed in. */
async function open(limits: Partial<typeof LIMITS>, trustProxy = false) {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.all('/', async (c) => {
    if (c.req.header('cookie') === 'known') markKnown(c.env.incoming.socket);
    return c.text(c.req.header('x-read') === undefined ? 'answered' : await c.req.text());
  });
  app.onError((_error, c) => c.text('left', 500));
  const { log, entries } = memoryLog();
  const at = { listen: { host: '127.0.0.1', port: 0 }, trustProxy };
  const server = await listen(app, at, { log, limits: { ...LIMITS, ...limits } });
  atEnd(() => server.close());
  const send = async (head: string, method = 'POST'): Promise<Socket> => {
    const socket = connect(server.address.port, '127.0.0.1').on('error', () => undefined);
    atEnd(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(head === '' ? '' : `${method} / HTTP/1.1\r\nHost: x\r\n${head}\r\n`);
    return socket;
  };
  return { send, entries };
}

const BODY = 'content-length: 9\r\n';

async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

test.each([
  ['says nothing', '', 'POST', { headTime: 20 }],
  ['announces a body and drips it', `${BODY}x-read: yes\r\n`, 'POST', { bodyTime: 20 }],
  ['is signed in and drips a body', `${BODY}x-read: yes\r\ncookie: known\r\n`, 'POST', { slowTime: 20 }],
  ['is signed in, answered, and goes on', `${BODY}cookie: known\r\n`, 'GET', { afterAnswer: 20 }],
])('a connection that %s is closed', async (_what, head, method, limits) => {
  const { send, entries } = await open(limits);
  const socket = await send(head, method);
  socket.resume().write('x');
  await once(socket, 'close');
  expect(entries.filter(({ msg }) => msg === 'slow request closed')).toHaveLength(head === '' ? 0 : 1);
});

test.each(['GET', 'POST'])(
  'whoever is answered before the body of a %s has come reads that, and is closed',
  async (method) => {
    const { send } = await open({});
    expect(await answerOf(await send(BODY, method))).toContain('answered');
  },
);

/** A connection whose request has come to the console, and whose body is to come. */
async function begun(send: (head: string) => Promise<Socket>, head: string): Promise<Socket> {
  const socket = await send(`${BODY}x-read: yes\r\nexpect: 100-continue\r\n${head}`);
  await once(socket, 'data');
  return socket;
}

/** Sends the rest of a body; gives what is answered. */
async function answerTo(socket: Socket, rest: string): Promise<string> {
  socket.write(rest);
  return String((await once(socket, 'data'))[0]);
}

async function gone(sockets: Socket[]): Promise<void> {
  await Promise.all(sockets.filter(({ closed }) => !closed).map((socket) => once(socket, 'close')));
}

test('of too many of one address the oldest that waits makes room, whoever is known stays, and it is logged once', async () => {
  const { send, entries } = await open({ ofOne: 3 });
  const known = await begun(send, 'cookie: known\r\n');
  const drips = [];
  for (let at = 0; at < 6; at += 1) drips.push(await begun(send, ''));
  await gone(drips.slice(0, 3));
  expect(await answerTo(drips.at(-1)!, '123456789')).toContain('123456789');
  expect(await answerTo(known, '123456789')).toContain('123456789');
  expect(entries.filter(({ msg }) => msg === 'connections without a sign-in closed')).toHaveLength(1);
});

test('behind a proxy each address that it names has a room of its own', async () => {
  const { send } = await open({ ofOne: 2 }, true);
  const from = (address: string) => begun(send, `x-forwarded-for: ${address}\r\n`);
  const other = await from('10.0.0.8');
  const drips = [];
  for (let port = 1; port <= 4; port += 1) drips.push(await from(`10.0.0.7:${port}`));
  await gone(drips.slice(0, 2));
  expect(await answerTo(other, '123456789')).toContain('123456789');
});
