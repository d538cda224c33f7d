import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { atEnd } from '../at-end.ts';

/** What becomes of the connections once the server has sent so many bytes more, over all of them. */
export type Mischief =
  /** All of them are reset. */
  | 'reset'
  /** The one that has just carried bytes ends, as if there were no more. */
  | 'end'
  /** Nothing comes until the line is repaired. */
  | 'hold'
  /** Nothing comes any more. */
  | 'hang'
  /** One byte comes at a time, a few hundred in a second. */
  | 'drip';

/** A line between client and server of which a test decides how good it is. */
export type Tap = {
  /** Where the clients connect, on 127.0.0.1. */
  port: number;
  /** Lets so many bytes through, then does it; with `always` it is done again after as many bytes more. */
  spoil: (mischief: Mischief, after: number, options?: { always?: boolean }) => void;
  /** True once the mischief has begun. */
  hasBegun: () => boolean;
  /** Resolves once something is held. */
  met: () => Promise<void>;
  /** Lets everything through from now on, and what was held; ends what hangs. */
  repair: () => void;
};

type Line = { listen?: number; to: { port: number; host?: string } };

/** Starts a line to one or several ports of a server, as FTP has them; the first is the tap's own. */
export async function startTap(lines: Line[]): Promise<Tap> {
  let hasBegun = false;
  const pairs = new Set<[Socket, Socket]>();
  let spoiled: { mischief: Mischief; after: number; left: number; always: boolean } | undefined;
  const meeting = Promise.withResolvers<void>();
  const held: (() => void)[] = [];
  const meet = (pair: [Socket, Socket], rest: Buffer) => {
    if (spoiled === undefined) return;
    hasBegun = true;
    const { mischief, after, always } = spoiled;
    const cut = (all: Iterable<[Socket, Socket]>, end: (client: Socket) => void) => {
      spoiled = always && spoiled !== undefined ? { ...spoiled, left: after } : undefined;
      for (const [client, server] of all) {
        end(client);
        server.destroy();
      }
    };
    if (mischief === 'reset') cut([...pairs], (client) => client.resetAndDestroy());
    if (mischief === 'end') cut([pair], (client) => client.end());
    if (mischief === 'drip') drip(pair, rest);
    if (mischief === 'hold') {
      pair[1].pause();
      held.push(() => {
        pair[0].write(rest);
        pair[1].resume();
      });
      meeting.resolve();
    }
  };
  const servers = await Promise.all(
    lines.map(({ listen = 0, to: { port, host = '127.0.0.1' } }) =>
      listening(listen, (client) => {
        const server = connect({ port, host, noDelay: true });
        const pair: [Socket, Socket] = [client, server];
        pairs.add(pair);
        for (const socket of pair) socket.on('error', () => undefined).on('close', () => void pairs.delete(pair));
        client.on('data', (bytes) => server.write(bytes)).on('close', () => server.destroy());
        server.on('end', () => client.end()).on('close', () => client.destroySoon());
        server.on('data', (bytes: Buffer) => {
          if (spoiled === undefined) return writeTo(client, server, bytes);
          const passing = bytes.subarray(0, Math.max(0, spoiled.left));
          spoiled.left -= passing.length;
          const isOver = spoiled.left <= 0;
          const next = () => isOver && meet(pair, bytes.subarray(passing.length));
          if (passing.length > 0) client.write(passing, next);
          else next();
        });
      }),
    ),
  );
  atEnd(() => {
    for (const server of servers) server.close();
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  });
  return {
    port: (servers[0]!.address() as AddressInfo).port,
    spoil: (mischief, after, { always = false } = {}) => (spoiled = { mischief, after, left: after, always }),
    hasBegun: () => hasBegun,
    met: () => meeting.promise,
    repair: () => {
      const isHung = spoiled?.mischief === 'hang';
      spoiled = undefined;
      for (const release of held.splice(0)) release();
      if (isHung) for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}

async function listening(port: number, onClient: (client: Socket) => void): Promise<Server> {
  // Each piece as it comes, as without the line.
  const server = createServer({ noDelay: true }, onClient).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function writeTo(client: Socket, server: Socket, bytes: Buffer): void {
  if (client.write(bytes)) return;
  server.pause();
  client.once('drain', () => server.resume());
}

function drip([client, server]: [Socket, Socket], bytes: Buffer): void {
  server.pause();
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length && !client.destroyed) client.write(bytes.subarray(at, ++at));
    else {
      clearInterval(timer);
      server.resume();
    }
  }, 5);
}
