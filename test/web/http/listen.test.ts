import { once } from 'node:events';
import { connect } from 'node:net';
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
