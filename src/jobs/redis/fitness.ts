import type { Redis } from 'ioredis';
import { OfferlineError } from '../../errors.ts';

/** The oldest Redis that the queue is meant for; every Valkey is newer. */
export const OLDEST_VERSION = '6.2.0';

/** True when a Redis version is below the oldest that the queue is meant for. */
export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_VERSION.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}

/**
 * Refuses a Redis that could lose the queue's keys or not run it: an evicting `maxmemory-policy`, a read-only replica, a
 * version that is too old. Gives the server's name and version.
 */
export async function assertFit(client: Redis, where: string): Promise<string> {
  const info = parseInfo(await client.info());
  const valkey = info.get('valkey_version');
  const version = valkey ?? info.get('redis_version') ?? 'unknown';
  if (valkey === undefined && isTooOld(version)) {
    throw new OfferlineError('redis', `${where} has version ${version}; at least ${OLDEST_VERSION} is needed.`);
  }
  if (info.get('role') === 'slave') {
    throw new OfferlineError('redis', `${where} is a read-only replica. Set REDIS_URL to the primary.`);
  }
  const policy = (await configuredPolicy(client)) ?? info.get('maxmemory_policy');
  if (policy !== 'noeviction') {
    const found = policy === undefined ? 'cannot be read' : `is ${policy}`;
    throw new OfferlineError(
      'redis',
      `${where}: its maxmemory-policy ${found}; it must be noeviction, because evicting a key loses a job. ` +
        `Run "redis-cli CONFIG SET maxmemory-policy noeviction" there and set it in its configuration file, ` +
        `or in the provider's settings, or give offerline a Redis of its own.`,
    );
  }
  return `${valkey === undefined ? 'Redis' : 'Valkey'} ${version}`;
}

/** Null where CONFIG is forbidden, as hosted servers do; they show the policy in INFO. */
async function configuredPolicy(client: Redis): Promise<string | null> {
  try {
    const reply: unknown = await client.call('CONFIG', 'GET', 'maxmemory-policy');
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
