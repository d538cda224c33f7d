import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';

/** A Redis inside this process. */
export type InProcess = { stop: () => Promise<void> };

const DATABASES = 16;

/**
 * Starts js-redis-server on a Unix socket or named pipe: everything is in memory. Its own listener would open a TCP port
 * on every network interface, without a password, so only its core is used.
 */
export async function startInProcess(path: string): Promise<InProcess> {
  const { attachSession, createRedisCommandExecutor, RedisServerState, SocketConnectionTransport } =
    await import('js-redis-server/core');
  const state = new RedisServerState({ databaseCount: DATABASES });
  const executor = createRedisCommandExecutor();
  const open = new Set<{ close: () => void }>();
  const server = createServer((socket) => {
    const session = attachSession(new SocketConnectionTransport(socket), { state, executor });
    open.add(session);
    void session.done.finally(() => open.delete(session));
  });
  if (process.platform !== 'win32') await rm(path, { force: true });
  await listen(server, path);
  return {
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of open) session.close();
      await closed;
      state.close();
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
