import { isIPv6 } from 'node:net';
import { secretHash } from './secret.ts';

/** Failures that are free before delays begin, and after which each doubles the delay. */
type Limit = { free: number; first: number };

/** Somebody who mistypes; a browser that tries many users; many browsers that try one user. */
const LIMITS: Record<'pair' | 'address' | 'user', Limit> = {
  pair: { free: 4, first: 2000 },
  address: { free: 20, first: 2000 },
  user: { free: 50, first: 2000 },
};

const LONGEST = 15 * 60_000;
/** Failures are forgotten after so long without another one. */
export const FORGOTTEN_AFTER = 24 * 3_600_000;

/** What is counted of a subject. */
type Counted = { failures: number; at: number };

/**
 * The subjects that an attempt is counted under. They are hashed: people type passwords where the name belongs, and the ledger must
 * not keep those.
 */
export function subjectsOf(user: string, address: string | null) {
  const [name, from] = [user.slice(0, 64), address === null ? '' : networkOf(address)];
  const subject = (kind: string, of: string[]) => `${kind} ${secretHash(JSON.stringify(of))}`;
  return {
    pair: subject('pair', [name, from]),
    address: subject('address', [from]),
    user: subject('user', [name]),
    known: subject('known', [name, from]),
  };
}

/** What one subscriber has: an address of IPv4, but the 2^64 addresses of a network of IPv6. */
function networkOf(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return address;
  const url = URL.parse(`http://[${bare}]/`);
  const groups = url === null ? [] : groupsOf(url.hostname.slice(1, -1));
  const isIPv4 = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isIPv4 ? ipv4Of(groups) : `${groups.slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an address as addresses in URLs are written. */
function groupsOf(host: string): string[] {
  const [head = [], tail = []] = host.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
}

function ipv4Of(groups: string[]): string {
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * Until when an attempt has to wait, epoch milliseconds; null when it need not. An address from which the user has signed in before
 * is not kept out by what others try.
 */
export function waitUntil(
  counted: Partial<Record<'pair' | 'address' | 'user' | 'known', Counted>>,
  now: number,
): number | null {
  const kinds = counted.known === undefined ? (['pair', 'address', 'user'] as const) : (['pair'] as const);
  const ends = kinds.flatMap((kind) => {
    const seen = counted[kind];
    if (seen === undefined || now - seen.at >= FORGOTTEN_AFTER) return [];
    // The clock was set back: nobody waits until it is as late as it was.
    if (seen.at - now > LONGEST) return [];
    const delay = delayAfter(seen.failures, LIMITS[kind]);
    return delay === 0 ? [] : [seen.at + delay];
  });
  const end = Math.max(0, ...ends);
  return end > now ? end : null;
}

function delayAfter(failures: number, { free, first }: Limit): number {
  return failures <= free ? 0 : Math.min(LONGEST, first * 2 ** Math.min(failures - free - 1, 30));
}
