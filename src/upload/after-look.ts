import { adopt } from './after-poll.ts';
import type { Attempt, Listed, ProtocolSettings, Refusal } from './attempt.ts';
import { afterDenial, isDenial } from './denial.ts';
import { carriesAny, isUnfinished } from './service-record.ts';
import { behind, waitMore } from './waits.ts';

/** Looks that must have seen nothing before an attempt counts as lost, however long the settle window is. */
const MIN_LOOKS = 5;

/**
 * Records whose content must be compared before a look counts: none that carries a token of ours is listed, something of
 * ours may have been accepted, and they were not there at the first look and carry no token of this ledger.
 */
export function strangers(attempt: Attempt, records: readonly Listed[], otherTokens: readonly string[]): Listed[] {
  const maybeSent = attempt.state === 'unknown' || attempt.tokens.length > 1;
  if (!maybeSent || attempt.known === null || records.some((record) => carriesAny(record, attempt.tokens))) return [];
  const known = new Set(attempt.known);
  return records.filter((record) => !known.has(record.id) && !carriesAny(record, otherTokens));
}

/** The attempt after the newest records of the login were read. */
export function afterLook(
  attempt: Attempt,
  records: readonly Listed[],
  now: number,
  settings: ProtocolSettings,
): Attempt {
  const known = attempt.known ?? records.map((record) => record.id);
  const seen = { ...attempt, known, silentSince: null };
  const ours = records.find((record) => carriesAny(record, attempt.tokens));
  if (ours !== undefined) return adopt(seen, ours, true, now, settings);

  const unfinished = records.find(isUnfinished);
  if (attempt.state === 'intended') {
    if (unfinished !== undefined) return behind(seen, unfinished, now, settings);
    return { ...seen, listed: records.map((record) => record.id), note: null, nextAt: 0 };
  }
  if (attempt.refusal !== null) return afterRefusal(seen, attempt.refusal, records, unfinished, now, settings);
  return afterSilence(seen, now, settings);
}

/** A definite no: beside an unfinished record, or one made meanwhile, it was a refusal of concurrency, else it is final. */
function afterRefusal(
  attempt: Attempt,
  refusal: Refusal,
  records: readonly Listed[],
  unfinished: Listed | undefined,
  now: number,
  settings: ProtocolSettings,
): Attempt {
  if (unfinished !== undefined)
    return { ...behind(attempt, unfinished, now, settings, refusal.retryAfter), state: 'intended', refusal: null };
  if (isDenial(refusal)) return afterDenial({ ...attempt, state: 'intended' }, refusal, now);
  const before = new Set([...(attempt.known ?? []), ...(refusal.listed ?? [])]);
  const newer = records.some((record) => !before.has(record.id));
  if (newer) {
    const why = `refused (${refusal.status}) while another upload was made`;
    return { ...waitMore(attempt, why, now, settings, refusal.retryAfter ?? null), state: 'intended', refusal: null };
  }
  return { ...attempt, state: 'refused', note: null, nextAt: 0 };
}

/**
 * Nothing of ours is listed: lost only when enough looks over the settle window saw nothing. The sender is fenced by then:
 * an attempt becomes `unknown` when its own worker closed the connection, or when its lease had ended.
 */
function afterSilence(attempt: Attempt, now: number, settings: ProtocolSettings): Attempt {
  const firstLookAt = attempt.firstLookAt ?? now;
  const looks = attempt.looks + 1;
  const settled = now - firstLookAt >= settings.settle;
  if (looks >= MIN_LOOKS && settled) {
    return { ...attempt, state: 'lost', looks, firstLookAt, note: null, nextAt: 0, waits: 0 };
  }
  const pause = Math.min(settings.settle / (MIN_LOOKS - 1), settings.max);
  const why = attempt.note?.replace(/; look \d+ saw nothing$/, '') ?? 'outcome unknown';
  const note = `${why}; look ${looks} saw nothing`;
  return { ...attempt, looks, firstLookAt, nextAt: now + pause, note, waits: 0 };
}
