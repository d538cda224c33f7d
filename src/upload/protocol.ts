import { afterLook } from './after-look.ts';
import { adopt, afterPoll } from './after-poll.ts';
import type { Attempt, Listed, ProtocolEvent, ProtocolSettings, Refusal, Step } from './attempt.ts';
import { afterDenial } from './denial.ts';
import { waitMore } from './waits.ts';

/**
 * The upload protocol of DESIGN as a pure transition function: (attempt, event) → attempt, and what to do next. It knows
 * neither the ledger nor the network; `conduct.ts` runs the effects. All times are epoch milliseconds.
 */

/** What to do next with an attempt. */
export function nextStep(attempt: Attempt, now: number): Step {
  if (attempt.denied !== null) return { do: 'denied', refusal: attempt.denied };
  if (attempt.nextAt > now) return { do: 'wait', until: attempt.nextAt };
  switch (attempt.state) {
    case 'intended':
      return { do: attempt.listed === null ? 'look' : 'send' };
    case 'sending':
    case 'unknown':
      return { do: 'look' };
    case 'submitted':
      return { do: 'poll' };
    case 'success':
    case 'failed':
    case 'aborted':
    case 'refused':
    case 'lost':
      return { do: 'closed' };
  }
}

/** The attempt after an event. */
export function apply(attempt: Attempt, event: ProtocolEvent, now: number, settings: ProtocolSettings): Attempt {
  switch (event.type) {
    case 'looked':
      return afterLook(attempt, event.records, now, settings);
    case 'look-failed':
    case 'poll-failed':
      return silent(waitMore(attempt, event.why, now, settings, event.retryAfter), event.since ?? now);
    case 'denied':
      return afterDenial(attempt, event.refusal, now);
    case 'sending':
      return { ...attempt, state: 'sending', note: null, refusal: null, denied: null };
    case 'accepted':
      return adopt(attempt, event.record, false, now, settings);
    case 'refused':
      return afterNo(attempt, event.refusal, now);
    case 'not-connected':
      return { ...silent(waitMore(attempt, event.why, now, settings, null), now), state: 'intended' };
    case 'unclear':
      return unknown(attempt, event.why, now, { nextAt: now + (event.retryAfter ?? 0) });
    case 'sender-gone':
      return unknown(attempt, 'the worker that sent it is gone', now, {});
    case 'compared':
      return afterComparison(attempt, event.record, event.same, now, settings);
    case 'polled':
      return afterPoll(attempt, event.record, now, settings);
  }
}

/** What the no was said to is told by the next look; of what was listed before, only what the intent did not know is kept. */
function afterNo(attempt: Attempt, refusal: Refusal, now: number): Attempt {
  const known = new Set(attempt.known ?? []);
  const listed = (attempt.listed ?? []).filter((id) => !known.has(id));
  return unknown(attempt, `the service answered ${refusal.status}`, now, { refusal: { ...refusal, listed } });
}

function silent(attempt: Attempt, since: number): Attempt {
  return { ...attempt, silentSince: attempt.silentSince ?? since };
}

function afterComparison(
  attempt: Attempt,
  record: Listed,
  same: true | null,
  now: number,
  settings: ProtocolSettings,
): Attempt {
  if (same === true) return adopt(attempt, record, true, now, settings);
  const why = `upload ${record.id} cannot be compared yet`;
  return { ...waitMore(attempt, why, now, settings, null), silentSince: null };
}

function unknown(attempt: Attempt, why: string, now: number, set: Partial<Attempt>): Attempt {
  const fresh = { listed: null, looks: 0, firstLookAt: null, waits: 0, refusal: null, nextAt: now };
  return { ...attempt, ...fresh, state: 'unknown', note: `outcome unknown: ${why}`, ...set };
}
