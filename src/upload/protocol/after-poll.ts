import type { Attempt, Listed, ProtocolSettings } from './attempt.ts';
import { isFinished, serviceState } from './service-record.ts';
import { backoff, pauseOf } from './waits.ts';
import { UNWATCHED, watchedAnew } from './watched.ts';

const DOCUMENTED_UNFINISHED = { created: true, queued: true, processing: true };

/** A record is the upload that was made of the attempt. */
export function adopt(
  attempt: Attempt,
  record: Listed,
  adopted: boolean,
  now: number,
  settings: ProtocolSettings,
): Attempt {
  const submitted: Attempt = {
    ...attempt,
    state: 'submitted',
    offerId: record.id,
    adopted: attempt.adopted || adopted,
    listed: null,
    refusal: null,
    ...UNWATCHED,
    waits: 0,
  };
  return afterPoll(submitted, record, now, settings);
}

/** The attempt after its record was read. */
export function afterPoll(polled: Attempt, record: Listed, now: number, settings: ProtocolSettings): Attempt {
  const attempt = { ...polled, silentSince: null };
  const service = serviceState(record);
  const { state: reported } = record;
  if (isFinished(reported)) {
    return { ...attempt, state: reported, service, note: null, waits: 0, nextAt: 0, wait: 0, progressAt: now };
  }
  const moved =
    attempt.service?.linesProcessed !== service.linesProcessed ||
    attempt.service?.lastModified !== service.lastModified;
  const progressAt = moved ? now : (attempt.progressAt ?? now);
  const waits = moved ? 0 : attempt.waits;
  const { watched, marks } = moved ? watchedAnew(attempt) : attempt;
  const stalled = watched >= settings.stall;
  const state = Object.hasOwn(DOCUMENTED_UNFINISHED, reported)
    ? `the service says ${reported}, ${service.linesProcessed} lines`
    : `the service says "${reported}", a state that its documentation does not list; treated as unfinished`;
  const note = stalled ? `${state}; no progress since ${new Date(progressAt).toISOString()}` : state;
  const pause = pauseOf(backoff(waits, settings), now);
  return { ...attempt, ...pause, service, progressAt, watched, marks, note, waits: waits + 1 };
}
