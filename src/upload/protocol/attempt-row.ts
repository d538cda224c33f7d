import type { IntentRow, UploadRow, UploadStepRow } from '../../ledger/schema/schema.ts';
import type { Attempt, Listed } from './attempt.ts';
import { isFinished, serviceState } from './service-record.ts';

/** The protocol's view of an attempt as the ledger keeps it. `tokens`: of the intent's attempts, newest first. */
export function toAttempt(row: UploadRow, intent: IntentRow, tokens: readonly [string, ...string[]]): Attempt {
  return {
    state: row.state,
    tokens,
    known: intent.known_ids,
    offerId: row.offer_id,
    adopted: row.adopted === 1,
    probes: row.looks,
    watched: row.watched_ms,
    marks: row.marks ?? {},
    refusal: row.refusal,
    listed: null,
    denied: null,
    waits: row.waits,
    nextAt: row.next_at,
    wait: row.wait_ms,
    note: row.note,
    service: row.record,
    progressAt: row.progress_at,
    silentSince: row.silent_since,
  };
}

/** The columns of the ledger that an attempt's new state changes. */
export function toColumns(attempt: Attempt, now: number): Partial<Omit<UploadRow, 'id'>> {
  const closed = !['intended', 'sending', 'unknown', 'submitted'].includes(attempt.state);
  return {
    state: attempt.state,
    offer_id: attempt.offerId,
    adopted: attempt.adopted ? 1 : 0,
    looks: attempt.probes,
    watched_ms: Math.floor(attempt.watched),
    marks: attempt.marks,
    refusal: attempt.refusal,
    waits: attempt.waits,
    next_at: Math.ceil(attempt.nextAt),
    wait_ms: Math.ceil(attempt.wait),
    note: attempt.note,
    record: attempt.service,
    service_state: attempt.service?.state ?? null,
    error: attempt.service?.error ?? null,
    lines_processed: attempt.service?.linesProcessed ?? null,
    progress_at: attempt.progressAt,
    silent_since: attempt.silentSince,
    ...(attempt.state === 'sending' ? { sent_at: now } : {}),
    ...(closed ? { closed_at: now } : {}),
  };
}

/** The columns of an attempt that is found among what the service has ended. */
export function columnsOfEnded(record: Listed): Pick<UploadRow, 'state'> & Partial<UploadRow> {
  const { state, linesProcessed, error } = record;
  return {
    state: isFinished(state) ? state : 'success',
    offer_id: record.id,
    adopted: 1,
    service_state: state,
    error,
    lines_processed: linesProcessed,
    record: serviceState(record),
  };
}

/** Whether an attempt changed, in our state of it or in what the service shows of it. */
export function isStep(before: Attempt, after: Attempt): boolean {
  const [was, is] = [before.service, after.service];
  return (
    before.state !== after.state ||
    was?.state !== is?.state ||
    was?.linesProcessed !== is?.linesProcessed ||
    was?.lastModified !== is?.lastModified
  );
}

/** What the ledger keeps of such a change. */
export function toStep(
  { id, login }: UploadRow,
  { state, service, note }: Attempt,
  now: number,
): Omit<UploadStepRow, 'id'> {
  return {
    upload: id,
    login,
    at: now,
    state,
    service_state: service?.state ?? null,
    lines: service?.linesProcessed ?? null,
    last_modified: service?.lastModified ?? null,
    note,
  };
}
