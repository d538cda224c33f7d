import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { atEnd } from '../at-end.ts';

/** A server of a test while it listens. */
export type Listening = {
  port: number;
  /** Ends the server and all its connections; it may be started again. */
  stop: () => Promise<void>;
  /** Listens on the same port again. */
  restart: () => Promise<void>;
};

/** Lets a server listen on a free port of 127.0.0.1 until the test ends. */
export async function onLoopback(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)));
  });
  const listen = async (port: number) => void (await once(server.listen(port, '127.0.0.1'), 'listening'));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((done) => server.close(done));
  };
  atEnd(stop);
  return { port, stop, restart: () => listen(port) };
}
