import { hostname, userInfo } from 'node:os';
import { OfferlineError } from '../../errors.ts';
import type { Decider, Decision } from '../../jobs/decisions/review.ts';

/** Who decides on this machine, and why; an empty reason is refused. */
export function decisionOf(reason: string): Decision {
  const text = reason.trim();
  if (text === '') throw new OfferlineError('usage', 'The reason is empty; give one with --reason TEXT.');
  return { ...byThisUser(), reason: text };
}

/** Who acts, by which way and from where. */
export function byThisUser(): Decider {
  return { who: userName(), via: 'cli', origin: hostname() };
}

/** The same for a rehearsal, which needs no reason: nothing is recorded. */
export function rehearsedDecision(reason: string | undefined): Decision {
  return decisionOf(reason ?? 'rehearsed');
}

/** The reason that a decision needs; fails with `usage` where there is none. */
export function assertReason(reason: string | undefined, example: string): asserts reason is string {
  if (reason !== undefined) return;
  const rehearsing = 'with --rehearse no reason is needed';
  throw new OfferlineError('usage', `--reason is missing: ${example}; ${rehearsing}.`);
}

/** The operating system's user; a container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
