import { randomUUID } from 'node:crypto';
import { searchPath } from '../../config/search-path.ts';
import type { Log } from '../../log.ts';
import { findBinary } from './binary.ts';
import { openKeeper } from './keeper.ts';
import type { RedisServer } from './redis-server.ts';
import { openShared } from './shared.ts';
import { parseRedisUrl } from './url.ts';

export type { RedisServer } from './redis-server.ts';

type Where = {
  redisUrl: string | undefined;
  home: string;
  log: Log;
  /** Chosen by tests and rehearsals; otherwise a server program if there is one. */
  embedded?: 'private' | 'in-process';
};

/**
 * Opens the Redis at `redisUrl`, or else the home's private one, or else one in this process. Fails with `redis` when it
 * cannot be reached or would lose jobs (`maxmemory-policy`), with `config` when the address is invalid.
 */
export async function openRedis(where: Where): Promise<RedisServer> {
  if (where.redisUrl !== undefined) return openUrl(where.redisUrl, where.log);
  const { binary, unfit } =
    where.embedded === 'in-process' ? { binary: null, unfit: [] } : await findBinary(searchPath());
  for (const reason of unfit) where.log.warn({ reason }, 'a redis program was skipped');
  const opened = await openShared(where.home, binary === null ? 'in-process' : { binary }, where.log);
  if (opened === null) throw new Error('a server was to be started, and there is none');
  return opened;
}

/** Like `openRedis`, but starts nothing: null when no process of this home runs one. */
export async function findRedis(where: Where): Promise<RedisServer | null> {
  if (where.redisUrl !== undefined) return openUrl(where.redisUrl, where.log);
  return openShared(where.home, 'nothing', where.log);
}

async function openUrl(redisUrl: string, log: Log): Promise<RedisServer> {
  const { options, where } = parseRedisUrl(redisUrl);
  const keeper = await openKeeper(options, { where, name: `offerline:${process.pid}:${randomUUID()}`, log });
  return {
    kind: 'url',
    connection: {
      ...options,
      connectionName: `offerline:${process.pid}`,
      maxRetriesPerRequest: null,
      disconnectTimeout: 100,
    },
    describe: `${where} (${keeper.version})`,
    notice: null,
    use: keeper.use,
    close: () => {
      keeper.close();
      return Promise.resolve();
    },
  };
}
