import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxFit } from '../../src/app/builtin-sandbox.ts';
import { loadConfig, type LoadedConfig } from '../../src/config/load.ts';
import { openRedis, type RedisServer } from '../../src/jobs/redis/open.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { memoryLog } from './memory-log.ts';
import { bringReference } from './reference.ts';

/** The built-in sandbox and the private Redis of a home, which run between the commands that a test plays there. */
export type HeldServers = {
  /** Starts what a command would start and end again. */
  hold: (args: string[], env: NodeJS.ProcessEnv) => Promise<void>;
  /** Ends the Redis, of which commands that only look for one must see nothing. */
  release: () => Promise<void>;
  end: () => Promise<void>;
};

/** Nothing runs until the first command that needs it. */
export function heldServers(): HeldServers {
  let redis: RedisServer | undefined;
  let sandbox: { fit: string; server: Sandbox } | undefined;
  const release = async () => {
    await redis?.close();
    redis = undefined;
  };
  const endSandbox = async () => {
    await sandbox?.server.close();
    sandbox = undefined;
  };
  return {
    hold: async (args, env) => {
      if (!args.includes('--wait')) return release();
      const loaded = await loadConfig({ file: undefined, home: undefined, env }).catch(() => undefined);
      if (loaded === undefined) return;
      redis ??= await openRedis({ prefix: 'offerline', redisUrl: undefined, home: loaded.home, log: memoryLog().log });
      const fit = loaded.sandbox ? JSON.stringify(sandboxFit(loaded.config)) : undefined;
      if (fit === sandbox?.fit) return;
      await endSandbox();
      if (fit !== undefined) sandbox = { fit, server: await serveBuiltin(loaded) };
    },
    release,
    end: async () => {
      await endSandbox();
      await release();
    },
  };
}

/** Serves what commands of this home take for the sandbox that another of them has started. */
async function serveBuiltin({ home, config }: LoadedConfig): Promise<Sandbox> {
  const folder = join(home, 'sandbox');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  bringReference(folder);
  const server = await startSandbox({ dataDir: folder, port: 0, settings: sandboxFit(config) });
  writeFileSync(join(folder, 'address'), server.url);
  return server;
}
