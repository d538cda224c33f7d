import { networkOf } from './address.ts';
import { secretHash } from './secret.ts';

/** Failures that are free before delays begin, and after which each doubles the delay. */
type Limit = { free: number; first: number };

/** Somebody who mistypes, in a browser that the user has signed in with before or not; one that tries many users; many that try one user. */
const LIMITS: Record<'guesses' | 'pair' | 'address' | 'user', Limit> = {
  guesses: { free: 4, first: 2000 },
  pair: { free: 4, first: 2000 },
  address: { free: 20, first: 2000 },
  user: { free: 50, first: 2000 },
};

/** Wrong links to pages of suppliers that one network opens: links in old mails are no attack. */
const LINKS: Limit = { free: 20, first: 2000 };

/** Wrong codes of a second factor, by whoever knows the password: a million are possible, and three of them right. */
const CODES: Limit = { free: 4, first: 30_000 };

const LONGEST = 15 * 60_000;
/** Failures are forgotten after so long without another one. */
export const FORGOTTEN_AFTER = 24 * 3_600_000;

/** What is counted of a subject. */
type Counted = { failures: number; at: number };

/** A browser's token of an earlier sign-in, and when the user was changed last: what was known before then is known no more. */
export type Device = { token: string; since: number };

/**
 * The subjects that an attempt is counted under. They are hashed: people type passwords where the name belongs, and the ledger must
 * not keep those.
 */
export function subjectsOf(user: string, address: string | null, device: Device = { token: '', since: 0 }) {
  const [name, from] = [user.slice(0, 64), placeOf(address)];
  return {
    pair: subject('pair', [name, from]),
    address: subject('address', [from]),
    user: subject('user', [name]),
    known: subject('known', [name, from]),
    device: subject('device', [name, device.token, String(device.since)]),
    guesses: subject('guesses', [name, device.token]),
  };
}

/** The subjects that wrong links are counted under, and under which it is known that a link of a feed was opened from an address before. */
export function linkSubjectsOf(feed: string, address: string | null) {
  const from = placeOf(address);
  return { guesses: subject('link', [from]), known: subject('known link', [feed, from]) };
}

function placeOf(address: string | null): string {
  return address === null ? '' : networkOf(address);
}

function subject(kind: string, of: string[]): string {
  return `${kind} ${secretHash(JSON.stringify(of))}`;
}

/** What an attempt is counted under: a browser that the user has signed in with before has a count of its own. */
export function countedKinds(counted: Partial<Record<'device', Counted>>) {
  return counted.device === undefined ? (['pair', 'address', 'user'] as const) : (['guesses'] as const);
}

/**
 * Until when an attempt has to wait, epoch milliseconds; null when it need not. A browser or an address from which the user has
 * signed in before is not kept out by what others try.
 */
export function waitUntil(
  counted: Partial<Record<keyof ReturnType<typeof subjectsOf>, Counted>>,
  now: number,
): number | null {
  const all = countedKinds(counted);
  const kinds = counted.known === undefined || counted.device !== undefined ? all : (['pair'] as const);
  const end = Math.max(0, ...kinds.map((kind) => endOf(counted[kind], LIMITS[kind], now)));
  return end > now ? end : null;
}

/** Until when a network has to wait that has opened wrong links, epoch milliseconds; null when it need not. */
export function linkWaitUntil(guesses: Counted | undefined, now: number): number | null {
  const end = endOf(guesses, LINKS, now);
  return end > now ? end : null;
}

/** What wrong codes are counted under: a browser that the user has signed in with before has a count of its own. */
export function codeSubject(user: string, token: string): string {
  return `code ${secretHash(JSON.stringify([user, token]))}`;
}

/** Until when a code of a second factor has to wait, epoch milliseconds; null when it need not. */
export function waitForCode(counted: Counted | undefined, now: number): number | null {
  const end = endOf(counted, CODES, now);
  return end > now ? end : null;
}

/** When the delay after what is counted ends; 0 without one. */
function endOf(seen: Counted | undefined, limit: Limit, now: number): number {
  if (seen === undefined || now - seen.at >= FORGOTTEN_AFTER) return 0;
  // The clock was set back: nobody waits until it is as late as it was.
  if (seen.at - now > LONGEST) return 0;
  const delay = delayAfter(seen.failures, limit);
  return delay === 0 ? 0 : seen.at + delay;
}

function delayAfter(failures: number, { free, first }: Limit): number {
  return failures <= free ? 0 : Math.min(LONGEST, first * 2 ** Math.min(failures - free - 1, 30));
}
