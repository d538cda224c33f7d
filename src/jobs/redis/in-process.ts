import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';

/** A Redis inside this process. */
export type InProcess = { stop: () => Promise<void> };

const DATABASES = 16;

/** A Unix socket or named pipe, or a port of one network interface. */
type Listen = { path: string } | { host: string; port: number };

/**
 * Starts js-redis-server at the given place: everything is in memory. Its own listener would open a TCP port on
 * every network interface, without a password, so only its core is used.
 */
export async function startInProcess(at: Listen, requirepass?: string): Promise<InProcess> {
  const { attachSession, createRedisCommandExecutor, RedisServerState, SocketConnectionTransport } =
    await import('js-redis-server/core');
  const state = new RedisServerState({
    databaseCount: DATABASES,
    ...(requirepass === undefined ? {} : { requirepass }),
  });
  const executor = createRedisCommandExecutor();
  const open = new Set<{ close: () => void }>();
  const server = createServer((socket) => {
    const session = attachSession(new SocketConnectionTransport(socket), { state, executor });
    open.add(session);
    void session.done.finally(() => open.delete(session));
  });
  if ('path' in at && process.platform !== 'win32') await rm(at.path, { force: true });
  await listen(server, at);
  return {
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of open) session.close();
      await closed;
      state.close();
    },
  };
}

function listen(server: Server, at: Listen): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
