import { randomUUID } from 'node:crypto';
import { searchPath } from '../../config/search-path.ts';
import type { Log } from '../../log.ts';
import { findBinary } from './binary.ts';
import { withCertificates } from './certificates.ts';
import { openKeeper } from './keeper.ts';
import type { RedisServer } from './redis-server.ts';
import { openShared } from './shared.ts';
import { parseRedisUrl } from './url.ts';

export type { RedisServer } from './redis-server.ts';

type Where = {
  redisUrl: string | undefined;
  /** With what the keys of the installation begin: REDIS_PREFIX. */
  prefix: string;
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
  if (where.redisUrl !== undefined) return openUrl(where.redisUrl, where);
  const { binary, unfit } =
    where.embedded === 'in-process' ? { binary: null, unfit: [] } : await findBinary(searchPath());
  for (const reason of unfit) where.log.warn({ reason }, 'a redis program was skipped');
  const opened = await openShared(where, binary === null ? 'in-process' : { binary });
  if (opened === null) throw new Error('a server was to be started, and there is none');
  return opened;
}

/** Like `openRedis`, but starts nothing: null when no process of this home runs one. */
export async function findRedis(where: Where): Promise<RedisServer | null> {
  if (where.redisUrl !== undefined) return openUrl(where.redisUrl, where);
  return openShared(where, 'nothing');
}

async function openUrl(redisUrl: string, { prefix, log }: Where): Promise<RedisServer> {
  const { options: parsed, where, tlsFiles } = parseRedisUrl(redisUrl);
  const options = await withCertificates(parsed, tlsFiles);
  const keeper = await openKeeper(options, { where, name: `offerline:${process.pid}:${randomUUID()}`, log });
  return {
    kind: 'url',
    prefix,
    keeps: keeper.keeps,
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
