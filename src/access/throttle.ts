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

/** The subjects that an attempt is counted under. */
export function subjectsOf(user: string, address: string | null) {
  const [name, from] = [JSON.stringify(user.slice(0, 64)), address ?? ''];
  return {
    pair: `pair ${name} ${from}`,
    address: `address ${from}`,
    user: `user ${name}`,
    known: `known ${name} ${from}`,
  };
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
    return [seen.at + delayAfter(seen.failures, LIMITS[kind])];
  });
  const end = Math.max(0, ...ends);
  return end > now ? end : null;
}

function delayAfter(failures: number, { free, first }: Limit): number {
  return failures <= free ? 0 : Math.min(LONGEST, first * 2 ** Math.min(failures - free - 1, 30));
}
