import type { Attempt, Listed, ProtocolEvent, ProtocolSettings, Refusal, ServiceState, Step } from './attempt.ts';

/**
 * The upload protocol of DESIGN as a pure transition function: (attempt, event) → attempt, and what to do next. It knows
 * neither the ledger nor the network; `conduct.ts` runs the effects. All times are epoch milliseconds.
 */

/** Looks that must have seen nothing before an attempt counts as lost, however long the settle window is. */
const MIN_LOOKS = 5;

/** States after which the service does nothing more; any other, known or not, is unfinished. */
const FINISHED: Record<string, 'success' | 'failed' | 'aborted'> = {
  success: 'success',
  failed: 'failed',
  aborted: 'aborted',
};

/** True for a state after which the service does nothing more. */
export function isFinished(state: string): state is 'success' | 'failed' | 'aborted' {
  return Object.hasOwn(FINISHED, state);
}

/** True for a record on which the service still works, or whose state it does not document. */
export function isUnfinished(record: { state: string }): boolean {
  return !isFinished(record.state);
}

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

function afterLook(attempt: Attempt, records: readonly Listed[], now: number, settings: ProtocolSettings): Attempt {
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

/** What the no was said to is told by the next look; of what was listed before, only what the intent did not know is kept. */
function afterNo(attempt: Attempt, refusal: Refusal, now: number): Attempt {
  const known = new Set(attempt.known ?? []);
  const listed = (attempt.listed ?? []).filter((id) => !known.has(id));
  return unknown(attempt, `the service answered ${refusal.status}`, now, { refusal: { ...refusal, listed } });
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

/** The credentials are refused (401, 403): the attempt stands where it is until they are proved, and then goes on at once. */
function afterDenial(attempt: Attempt, denied: Refusal, now: number): Attempt {
  const refusal = attempt.state === 'intended' ? null : attempt.refusal;
  return { ...attempt, denied, refusal, listed: null, note: denied.text, waits: 0, nextAt: now };
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

function afterPoll(polled: Attempt, record: Listed, now: number, settings: ProtocolSettings): Attempt {
  const attempt = { ...polled, silentSince: null };
  const service = serviceState(record);
  const finished = FINISHED[record.state];
  if (finished !== undefined) {
    return { ...attempt, state: finished, service, note: null, waits: 0, nextAt: 0, progressAt: now };
  }
  const moved =
    attempt.service?.linesProcessed !== service.linesProcessed || attempt.service.lastModified !== service.lastModified;
  const progressAt = moved ? now : (attempt.progressAt ?? now);
  const waits = moved ? 0 : attempt.waits;
  const stalled = now - progressAt >= settings.stall;
  const state = Object.hasOwn(DOCUMENTED_UNFINISHED, record.state)
    ? `the service says ${record.state}, ${service.linesProcessed} lines`
    : `the service says "${record.state}", a state that its documentation does not list; taken as unfinished`;
  const note = stalled ? `${state}; no progress since ${new Date(progressAt).toISOString()}` : state;
  return { ...attempt, service, progressAt, note, waits: waits + 1, nextAt: now + backoff(waits, settings) };
}

const DOCUMENTED_UNFINISHED = { created: true, queued: true, processing: true };

function adopt(attempt: Attempt, record: Listed, adopted: boolean, now: number, settings: ProtocolSettings): Attempt {
  const submitted: Attempt = {
    ...attempt,
    state: 'submitted',
    offerId: record.id,
    adopted: attempt.adopted || adopted,
    listed: null,
    refusal: null,
    waits: 0,
  };
  return afterPoll(submitted, record, now, settings);
}

function unknown(attempt: Attempt, why: string, now: number, set: Partial<Attempt>): Attempt {
  const fresh = { listed: null, looks: 0, firstLookAt: null, waits: 0, refusal: null, nextAt: now };
  return { ...attempt, ...fresh, state: 'unknown', note: `outcome unknown: ${why}`, ...set };
}

/** Waits behind an unfinished upload that is not this attempt. */
function behind(
  attempt: Attempt,
  record: Listed,
  now: number,
  settings: ProtocolSettings,
  retryAfter: number | null = null,
): Attempt {
  const ours = carriesAny(record, settings.otherTokens);
  const whose = ours ? 'an earlier upload of ours' : "someone else's upload";
  const why = `${whose} (${record.id}, ${record.state}) is unfinished; a login can have only one`;
  return waitMore(attempt, why, now, settings, retryAfter);
}

function waitMore(
  attempt: Attempt,
  why: string,
  now: number,
  settings: ProtocolSettings,
  retryAfter: number | null,
): Attempt {
  const pause = Math.max(retryAfter ?? 0, backoff(attempt.waits, settings));
  return { ...attempt, listed: null, note: why, waits: attempt.waits + 1, nextAt: now + pause };
}

/** Full jitter over an exponentially growing window, at least half of the first interval. */
function backoff(waits: number, settings: ProtocolSettings): number {
  const window = Math.min(settings.max, settings.initial * 2 ** Math.min(waits, 30));
  return Math.max(settings.initial / 2, settings.random() * window);
}

/** True for a refusal of the credentials or of a right, which is none of the file. */
export function isDenial(refusal: { status: number }): boolean {
  return refusal.status === 401 || refusal.status === 403;
}

function carriesAny(record: Listed, tokens: readonly string[]): boolean {
  return tokens.some((token) => record.sourceFile?.includes(token) ?? false);
}

function serviceState(record: Listed): ServiceState {
  const { state, linesProcessed, lastModified, error, errorFileExists } = record;
  return { state, linesProcessed, lastModified, error, errorFileExists };
}
