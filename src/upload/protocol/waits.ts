import type { Attempt, Listed, ProtocolSettings } from './attempt.ts';
import { carriesAny } from './service-record.ts';

/** Waits behind an unfinished upload that is not this attempt. */
export function behind(
  attempt: Attempt,
  record: Listed,
  now: number,
  settings: ProtocolSettings,
  retryAfter: number | null = null,
): Attempt {
  return waitMore(attempt, whyBehind(record, settings), now, settings, retryAfter);
}

/** Says whose unfinished upload is in the way. */
export function whyBehind(record: Listed, settings: ProtocolSettings): string {
  const ours = carriesAny(record, settings.otherTokens);
  const whose = ours ? 'an earlier upload of ours' : "someone else's upload";
  return `${whose} (${record.id}, ${record.state}) is unfinished; a login can have only one`;
}

/** Asks again later, and says why. */
export function waitMore(
  attempt: Attempt,
  why: string,
  now: number,
  settings: ProtocolSettings,
  retryAfter: number | null,
): Attempt {
  const pause = Math.max(retryAfter ?? 0, backoff(attempt.waits, settings));
  return { ...attempt, ...pauseOf(pause, now), listed: null, note: why, waits: attempt.waits + 1 };
}

/** Due after a pause; whole milliseconds, so that what was planned is what is kept. */
export function pauseOf(ms: number, now: number): Pick<Attempt, 'nextAt' | 'wait'> {
  const wait = Math.ceil(ms);
  return { nextAt: now + wait, wait };
}

/** Full jitter over an exponentially growing window, at least half of the first interval. */
export function backoff(waits: number, settings: ProtocolSettings): number {
  const window = Math.min(settings.max, settings.initial * 2 ** Math.min(waits, 30));
  return Math.max(settings.initial / 2, settings.random() * window);
}
