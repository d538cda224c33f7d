import { afterProbe, whyOpen } from './after-probe.ts';
import { adopt, afterPoll } from './after-poll.ts';
import type { Attempt, Listed, ProtocolEvent, ProtocolSettings, Refusal, Step } from './attempt.ts';
import { isDue } from '../../clock.ts';
import { afterDenial } from './denial.ts';
import { pauseOf, waitMore } from './waits.ts';
import { UNWATCHED, watched } from './watched.ts';

/**
 * The upload protocol (docs/ARCHITECTURE.md) as a pure transition function: (attempt, event) → attempt, and what to do next. It knows
 * neither the ledger nor the network; `drive.ts` runs the effects. Due times and times for people are epoch milliseconds; how
 * long something has lasted is measured by readings of monotonic clocks.
 */

/** What to do next with an attempt. */
export function nextStep(attempt: Attempt, now: number): Step {
  if (attempt.denied !== null) return { do: 'denied', refusal: attempt.denied };
  const due = { next_at: attempt.nextAt, wait_ms: attempt.wait };
  if (!isDue(due, now)) return { do: 'wait', until: attempt.nextAt };
  switch (attempt.state) {
    case 'intended':
      return { do: attempt.listed === null ? 'probe' : 'send' };
    case 'sending':
    case 'unknown':
      return { do: 'probe' };
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
    case 'probed':
      return afterProbe(watched(attempt, event.at), event.records, now, settings);
    case 'probe-failed':
    case 'poll-failed':
      return silent(waitMore(attempt, event.why, now, settings, event.retryAfter), event.since ?? now);
    case 'denied':
      return afterDenial(attempt, event.refusal, now);
    case 'sending':
      return { ...attempt, state: 'sending', note: null, refusal: null, denied: null };
    case 'accepted':
      return afterReply(attempt, event.record, now, settings);
    case 'refused':
      return afterNo(attempt, event.refusal, now);
    case 'throttled':
      return { ...waitMore(attempt, event.why, now, settings, event.retryAfter), state: 'intended' };
    case 'not-connected':
      return { ...silent(waitMore(attempt, event.why, now, settings, null), now), state: 'intended' };
    case 'unclear':
      return unknown(attempt, `outcome unknown: ${event.why}`, now, pauseOf(event.retryAfter ?? 0, now));
    case 'sender-gone':
      return unknown(attempt, 'outcome unknown: the worker that sent it is gone', now, {});
    case 'compared':
      return afterComparison(attempt, event.record, event.same, now, settings);
    case 'polled':
      return afterPoll(watched(attempt, event.at), event.record, now, settings);
  }
}

/** A reply that names an earlier upload is foreign, or an old one sent again: the probes show what was accepted. */
function afterReply(attempt: Attempt, record: Listed, now: number, settings: ProtocolSettings): Attempt {
  const before = new Set([...(attempt.known ?? []), ...(attempt.listed ?? [])]);
  if (!before.has(record.id)) return adopt(attempt, record, false, now, settings);
  return unknown(attempt, `outcome unknown: the reply names upload ${record.id}, which was there before`, now, {});
}

/** The probes that follow show what was refused; of what was listed before, only what the intent did not know is kept. */
function afterNo(attempt: Attempt, refusal: Refusal, now: number): Attempt {
  const known = new Set(attempt.known ?? []);
  const listed = (attempt.listed ?? []).filter((id) => !known.has(id));
  return unknown(attempt, whyOpen(refusal), now, { refusal: { ...refusal, listed } });
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
  const fresh = { ...UNWATCHED, listed: null, probes: 0, waits: 0, refusal: null, nextAt: now, wait: 0 };
  return { ...attempt, ...fresh, state: 'unknown', note: why, ...set };
}
