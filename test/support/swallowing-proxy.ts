import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { atEnd } from './at-end.ts';

/** Stands before a server, and can make its connections half-open: each side sends, and nothing of it arrives. */
export type SwallowingProxy = {
  /** The address of the proxy in place of the server's. */
  url: string;
  /** The connections that are open bring nothing any more, not even their end; with `all`, nor do those that are opened. */
  swallow: (which: 'open' | 'all') => void;
  /** New connections bring everything again. */
  mend: () => void;
  /** Half-open connections that the client has not closed. */
  halfOpen: () => number;
};

/** Starts one on a free port of loopback. */
export async function swallowingProxy(target: string): Promise<SwallowingProxy> {
  const { port, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const deaf = new Set<Socket>();
  let swallowsNew = false;

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    clients.add(client);
    if (swallowsNew) deaf.add(client);
    const unlessDeaf = (act: () => void) => {
      if (!deaf.has(client)) act();
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('data', (chunk: Buffer) => unlessDeaf(() => to.write(chunk)));
      from.on('end', () => unlessDeaf(() => to.end()));
      from.on('close', () => unlessDeaf(() => to.destroy()));
    }
    client.on('end', () => clients.delete(client)).on('close', () => clients.delete(client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const at = new URL(target);
  at.port = String((server.address() as AddressInfo).port);
  return {
    url: at.href,
    swallow: (which) => {
      for (const client of clients) deaf.add(client);
      swallowsNew = which === 'all';
    },
    mend: () => (swallowsNew = false),
    halfOpen: () => [...clients].filter((client) => deaf.has(client)).length,
  };
}
