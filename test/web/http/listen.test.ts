import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { listen } from '../../../src/web/http/listen.ts';
import { atEnd } from '../../support/at-end.ts';

/** More than the buffers of a connection hold. */
const CHUNK = new Uint8Array(1024 * 1024);
const CHUNKS = 64;

/** A server of an answer of 64 MB, and a client that has asked for it and is paused. */
async function askFor(takingTime: number) {
  const ended = Promise.withResolvers<'taken' | 'left'>();
  const app = new Hono<{ Bindings: HttpBindings }>();
  let left = CHUNKS;
  app.get('/', (c) =>
    c.body(
      new ReadableStream<Uint8Array>({
        pull: (controller) => {
          left -= 1;
          if (left >= 0) return controller.enqueue(CHUNK);
          ended.resolve('taken');
          controller.close();
        },
        cancel: () => ended.resolve('left'),
      }),
    ),
  );
  const server = await listen(app, { listen: { host: '127.0.0.1', port: 0 }, trustProxy: false }, { takingTime });
  atEnd(() => server.close());
  const socket = connect(server.address.port, server.address.host);
  atEnd(() => void socket.destroy());
  await once(socket, 'connect');
  socket.pause().write(`GET / HTTP/1.1\r\nHost: ${server.address.host}\r\n\r\n`);
  return { socket, ended: ended.promise };
}

test('a client that takes nothing of its answer is left, and what made the answer is told', async () => {
  const { ended } = await askFor(50);
  expect(await ended).toBe('left');
});

test('a client that takes its answer gets all of it', async () => {
  const { socket, ended } = await askFor(60_000);
  socket.resume();
  expect(await ended).toBe('taken');
});

/** Connects, and sends a head in two parts: the first at once, the second when the shared number is set. */
const CLIENT = `
  const { connect } = require('node:net');
  const { workerData, parentPort } = require('node:worker_threads');
  const told = new Int32Array(workerData.told);
  const socket = connect(workerData.port, '127.0.0.1', () => {
    socket.write('GET / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n');
    parentPort.postMessage('connected');
    void Promise.resolve(Atomics.waitAsync(told, 0, 0).value).then(() => socket.write('\\r\\n'));
  });
  socket.once('data', (bytes) => parentPort.postMessage(String(bytes).split('\\r\\n')[0]));
  socket.once('close', () => parentPort.postMessage('closed'));
`;

/** A server that gives a head 200 ms, and a client that has sent a part of its head, from a thread of its own. */
async function sendHead() {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.get('/', (c) => c.text('here'));
  const server = await listen(app, { listen: { host: '127.0.0.1', port: 0 }, trustProxy: false }, { headTime: 200 });
  atEnd(() => server.close());
  const told = new SharedArrayBuffer(4);
  const client = new Worker(CLIENT, { eval: true, workerData: { port: server.address.port, told } });
  atEnd(() => client.terminate());
  expect(await once(client, 'message')).toEqual(['connected']);
  const goOn = () => {
    Atomics.store(new Int32Array(told), 0, 1);
    Atomics.notify(new Int32Array(told), 0);
  };
  return { goOn, said: async () => ((await once(client, 'message')) as [string])[0] };
}

test('a head that came while the server was busy is not late', async () => {
  const { goOn, said } = await sendHead();
  goOn();
  // Busy with one thing, for much longer than a head may take.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  expect(await said()).toBe('HTTP/1.1 200 OK');
});

test('a head that does not come is late', async () => {
  const { said } = await sendHead();
  expect(await said()).toBe('HTTP/1.1 408 Request Timeout');
});
