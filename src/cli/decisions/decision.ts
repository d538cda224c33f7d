import { hostname, userInfo } from 'node:os';
import { OfferlineError } from '../../errors.ts';
import type { Decision } from '../../jobs/decisions/review.ts';

/** Who decides on this machine, and why; an empty reason is refused. */
export function decisionOf(reason: string): Decision {
  const text = reason.trim();
  if (text === '') throw new OfferlineError('usage', 'The reason is empty; give one with --reason TEXT.');
  return { who: userName(), reason: text, via: 'cli', origin: hostname() };
}

/** The operating system's user; a container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
