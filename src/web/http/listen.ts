import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Config } from '../../config/schema/schema.ts';
import { messageOf, OfferlineError, systemCode } from '../../errors.ts';

/** A server that listens. */
export type Listening = { address: { host: string; port: number }; close: () => Promise<void> };

/** A head that takes longer, or a connection that asks nothing more, is closed; milliseconds. */
const HEAD_TIME = 10_000;
const IDLE_TIME = 15_000;
/** Bytes of a head. */
const LARGEST_HEAD = 16_384;
/** How long a client may take nothing of what was written to it; in milliseconds. */
const TAKING_TIME = 30_000;
/** Requests on one connection that wait to be answered: browsers send one after the other. */
const MOST_AT_ONCE = 4;
/** More connections are closed at once: files and sockets are needed for uploads, too. Above what follows open pages. */
const MOST_CONNECTIONS = 3000;

/**
 * Serves the console where `web.listen` says. A client that takes nothing for `takingTime` milliseconds, or at most twice that, is
 * left. Fails with `config` when the address cannot be had.
 */
export async function listen(
  app: Hono<{ Bindings: HttpBindings }>,
  { listen: at }: Pick<Config['web'], 'listen'>,
  { takingTime = TAKING_TIME } = {},
): Promise<Listening> {
  if (at === null) throw new OfferlineError('config', 'web.listen is none: there is no console.');
  const serve = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(
    {
      headersTimeout: HEAD_TIME,
      keepAliveTimeout: IDLE_TIME,
      // Bodies have limits of their own, on silence and size: a large file may take its time.
      requestTimeout: 0,
      maxHeaderSize: LARGEST_HEAD,
      connectionsCheckingInterval: 5000,
    },
    (request, response) => {
      if (admit(request, response, takingTime)) void serve(request, response);
    },
  );
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
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const waiting = new WeakMap<Socket, number>();

/** Bounds what one connection can ask for and leave untaken; false, and closed, when it asks for too much at once. */
function admit({ socket }: IncomingMessage, response: ServerResponse, takingTime: number): boolean {
  const before = waiting.get(socket) ?? 0;
  if (before >= MOST_AT_ONCE) {
    socket.destroy();
    return false;
  }
  waiting.set(socket, before + 1);
  response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
  // Who waits for an answer is silent as well: only who does not take it is left.
  response.setTimeout(takingTime, () => void (socket.writableLength > 0 && socket.destroy()));
  return true;
}

function refusal({ host, port }: { host: string; port: number }, error: unknown): string {
  const where = `web.listen ${host}:${port}`;
  const code = systemCode(error);
  if (code === 'EADDRINUSE') return `${where} is taken by another program; write another port, or none.`;
  if (code === 'EACCES') return `${where} may not be used by this user; write a port from 1024 on.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${where} is no address of this machine.`;
  return `${where} cannot be used: ${messageOf(error)}`;
}
