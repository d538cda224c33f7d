import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Config } from '../../config/schema/schema.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { type Door, type LIMITS, watchConnections } from './connections.ts';
import { askBeforeFiles } from './expect.ts';
import { headTime } from './head-time.ts';
import { forwardedFor } from './origin.ts';

/** A server that listens. */
export type Listening = { address: { host: string; port: number }; close: () => Promise<void> };

/** A head that takes longer, the time apart in which nothing could be read, or a connection that asks nothing more, is closed; milliseconds. */
const HEAD_TIME = 10_000;
const IDLE_TIME = 15_000;
/** Bytes of a head. */
const LARGEST_HEAD = 16_384;
/** How long a client may take nothing of what was written to it; in milliseconds. */
const TAKING_TIME = 30_000;
/** More connections are closed at once: files and sockets are needed for uploads, too. Above what follows open pages. */
const MOST_CONNECTIONS = 3000;

/**
 * Serves the console where `web.listen` says. A client that takes nothing for `takingTime` milliseconds, or at most twice that, is
 * left. `headTime`: how long a head may take, milliseconds. Fails with `config` when the address cannot be had.
 */
export async function listen(
  app: Hono<{ Bindings: HttpBindings }>,
  { listen: at, trustProxy }: Pick<Config['web'], 'listen' | 'trustProxy'>,
  {
    takingTime = TAKING_TIME,
    headTime: leastHeadTime = HEAD_TIME,
    log,
    limits,
  }: { takingTime?: number; headTime?: number; log?: Log; limits?: typeof LIMITS } = {},
): Promise<Listening> {
  if (at === null) throw new OfferlineError('config', 'web.listen is none: there is no console.');
  let door: Door | undefined;
  const serve = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(
    {
      keepAliveTimeout: IDLE_TIME,
      // Bodies have limits of their own, on speed and size: a large file may take its time.
      requestTimeout: 0,
      maxHeaderSize: LARGEST_HEAD,
      connectionsCheckingInterval: leastHeadTime / 2,
    },
    (request, response) => {
      if (door?.admit(request, response) !== true) return;
      const { socket } = request;
      // Who waits for an answer is silent as well: only who does not take it is left.
      response.setTimeout(takingTime, () => void (socket.writableLength > 0 && socket.destroy()));
      void serve(request, response);
    },
  );
  askBeforeFiles(server);
  const patience = headTime(leastHeadTime);
  // The server asks for it at each of its checks.
  Object.defineProperty(server, 'headersTimeout', { get: patience.now });
  door = watchConnections(server, { log, limits, forwardedFor: trustProxy ? forwardedFor : null });
  server.maxConnections = MOST_CONNECTIONS;
  server.listen(at.port, at.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new OfferlineError('config', refusal(at, error), { cause: error });
  }
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : at.port;
  return {
    address: { host: at.host, port },
    close: async () => {
      door.close();
      patience.end();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function refusal({ host, port }: { host: string; port: number }, error: unknown): string {
  const where = `web.listen ${host}:${port}`;
  const code = systemCode(error);
  if (code === 'EADDRINUSE') return `${where} is taken by another program; write another port, or none.`;
  if (code === 'EACCES') return `${where} may not be used by this user; write a port from 1024 on.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${where} is no address of this machine.`;
  return `${where} cannot be used: ${messageOf(error)}`;
}
