import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections and to servers that ask for any (from 32768 on Linux, from 49152
 * elsewhere): none of those takes one of these while its server is down.
 */
const PORTS = { from: 20_000, to: 32_000 };

/**
 * Reserves a port of 127.0.0.1 until it is released, also while no server listens there. The port above it is held meanwhile: that
 * tells every other process of the suite, and ends with this one.
 */
export async function reservePort({ from, to } = PORTS): Promise<{ port: number; release: () => Promise<void> }> {
  const pairs = Math.floor((to - from) / 2);
  const first = randomInt(pairs);
  for (let at = 0; at < pairs; at++) {
    const port = from + 2 * ((first + at) % pairs);
    const guard = await listen(port + 1);
    if (guard === null) continue;
    if (await isFree(port)) return { port, release: () => close(guard) };
    await close(guard);
  }
  throw new Error(`every port of 127.0.0.1 between ${from} and ${to} is taken`);
}

/** A server on a port of 127.0.0.1; null when the port is taken. It keeps no process from ending. */
async function listen(port: number): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return null;
  }
  return server.unref();
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (server !== null) await close(server);
  return server !== null;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
