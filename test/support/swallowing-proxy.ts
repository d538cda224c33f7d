import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { atEnd } from './at-end.ts';

/** Stands before a server, and can make its connections half-open (each side sends, and nothing of it arrives), or cut the line for a while. */
export type SwallowingProxy = {
  /** The address of the proxy in place of the server's. */
  url: string;
  /** The connections that are open bring nothing any more, not even their end; with `all`, nor do those that are opened. */
  swallow: (which: 'open' | 'all') => void;
  /** Nothing arrives, of open connections and of new ones, until the line is mended. */
  cut: () => void;
  /** New connections bring everything again, and what was sent over a line that was cut arrives late, in its order. */
  mend: () => void;
  /** New connections go to another server, as after a failover behind one address. */
  leadTo: (target: string) => void;
  /** Half-open connections that the client has not closed. */
  halfOpen: () => number;
};

/** Starts one on a free port of loopback. */
export async function swallowingProxy(target: string): Promise<SwallowingProxy> {
  let { port, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const deaf = new Set<Socket>();
  let swallowsNew = false;
  /** What was sent, or ended, since the line was cut; null while it is whole. */
  let held: (() => void)[] | null = null;

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    clients.add(client);
    if (swallowsNew) deaf.add(client);
    const carry = (act: () => void) => {
      if (held !== null) held.push(() => carry(act));
      else if (!deaf.has(client)) act();
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('data', (chunk: Buffer) => carry(() => to.write(chunk)));
      from.on('end', () => carry(() => to.end()));
      from.on('close', () => carry(() => to.destroy()));
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
    cut: () => (held ??= []),
    mend: () => {
      swallowsNew = false;
      const late = held ?? [];
      held = null;
      for (const arrive of late) arrive();
    },
    leadTo: (other) => ({ port, hostname } = new URL(other)),
    halfOpen: () => [...clients].filter((client) => deaf.has(client)).length,
  };
}
