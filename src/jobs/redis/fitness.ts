import { Cluster, type Redis } from 'ioredis';
import { OfferlineError } from '../../errors.ts';
import { counted } from '../../wording/words.ts';
import type { RedisClient } from './redis-server.ts';

/** The oldest Redis that the queue is meant for; every Valkey is newer. */
export const OLDEST_VERSION = '6.2.0';

/** True when a Redis version is below the oldest that the queue is meant for. */
export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_VERSION.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

/** What a Redis is: its name and version, and how it evicts and what it keeps on disk, in words. */
export type Fit = { version: string; keeps: string };

/**
 * Refuses a Redis that could lose the queue's keys or not run it: an evicting `maxmemory-policy`, a read-only replica, a
 * version that is too old, a node of a cluster that was not addressed as one. Of a cluster every primary is asked.
 */
export async function assertFit(client: RedisClient, where: string): Promise<Fit> {
  if (!(client instanceof Cluster)) return assertNodeFit(client, where, false);
  const nodes = client.nodes('master');
  const fits = await Promise.all(
    nodes.map((node) => assertNodeFit(node, `${where}, node ${node.options.host}:${node.options.port}`, true)),
  );
  const distinct = (texts: string[]) => [...new Set(texts)].join(' and ');
  return {
    version: `${counted(nodes.length, 'primary', 'primaries')}, ${distinct(fits.map(({ version }) => version))}`,
    keeps: distinct(fits.map(({ keeps }) => keeps)),
  };
}

async function assertNodeFit(client: Redis, where: string, inCluster: boolean): Promise<Fit> {
  const info = parseInfo(await client.info());
  const valkey = info.get('valkey_version');
  const version = valkey ?? info.get('redis_version') ?? 'unknown';
  if (valkey === undefined && isTooOld(version)) {
    throw new OfferlineError('redis', `${where} has version ${version}; at least ${OLDEST_VERSION} is needed.`);
  }
  if (info.get('cluster_enabled') === '1' && !inCluster) {
    throw new OfferlineError(
      'redis',
      `${where} is a node of a Redis Cluster. Set REDIS_URL to redis+cluster:// and its nodes (rediss+cluster:// with TLS).`,
    );
  }
  if (info.get('role') === 'slave') {
    throw new OfferlineError('redis', `${where} is a read-only replica. Set REDIS_URL to the primary.`);
  }
  const policy = (await configured(client, 'maxmemory-policy')) ?? info.get('maxmemory_policy');
  if (policy !== 'noeviction') {
    const found = policy === undefined ? 'cannot be read' : `is ${policy}`;
    throw new OfferlineError(
      'redis',
      `${where}: its maxmemory-policy ${found}; it must be noeviction, because evicting a key loses a job. ` +
        `Run "redis-cli CONFIG SET maxmemory-policy noeviction" there and set it in its configuration file, ` +
        `or in the provider's settings, or give offerline a Redis of its own.`,
    );
  }
  return {
    version: `${valkey === undefined ? 'Redis' : 'Valkey'} ${version}`,
    keeps: `noeviction, ${await persistence(client, info)}`,
  };
}

/** What survives a restart; the ledger has it all, so nothing here is refused. */
async function persistence(client: Redis, info: Map<string, string>): Promise<string> {
  const appends = info.get('aof_enabled');
  if (appends === '1') return 'keeps an append-only file';
  const snapshots = await configured(client, 'save');
  if (appends === undefined || snapshots === null) return 'does not say what it keeps on disk';
  return snapshots === '' ? 'keeps nothing on disk: after its restart the sweep finds the work' : 'keeps snapshots';
}

/** Null where CONFIG is forbidden, as hosted servers do; they show the policy in INFO. */
async function configured(client: Redis, name: string): Promise<string | null> {
  try {
    const reply: unknown = await client.call('CONFIG', 'GET', name);
    if (Array.isArray(reply)) return typeof reply[1] === 'string' ? reply[1] : null;
    const value = typeof reply === 'object' && reply !== null ? Object.values(reply)[0] : null;
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

function parseInfo(text: string): Map<string, string> {
  const pairs = text.split(/\r?\n/).map((line) => /^(\w+):(.*)$/.exec(line));
  return new Map(pairs.flatMap((pair) => (pair?.[1] === undefined ? [] : [[pair[1], pair[2] ?? ''] as const])));
}
