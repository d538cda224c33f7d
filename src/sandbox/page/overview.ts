import type { OfferFacts } from '../offers/state.ts';
import { stateOf } from '../offers/state.ts';
import type { OfferRecords } from '../offers/records.ts';
import type { Store } from '../store.ts';

/** A login with its newest uploads. */
export type LoginOverview = {
  id: string;
  name: string;
  scheme: string;
  /** Id of the live dataset; null: none. */
  live: string | null;
  uploads: UploadOverview[];
};

export type UploadOverview = {
  id: string;
  file: string | null;
  state: string;
  rows: number;
  rejected: number;
  error: string | null;
  /** Epoch milliseconds. */
  createdAt: number;
};

const SHOWN_UPLOADS = 10;
const SHOWN_LOGINS = 100;

/** What the logins have uploaded lately: the logins in the order of their first call, their uploads newest first. */
export function overviewOf(db: Store['db'], records: OfferRecords, now: number): LoginOverview[] {
  const logins = db
    .prepare(
      `SELECT id, scheme, (SELECT name FROM arrivals WHERE login = logins.id ORDER BY seq DESC LIMIT 1) AS name
       FROM logins ORDER BY first_seen, id LIMIT ${SHOWN_LOGINS}`,
    )
    .all();
  return logins.map(({ id, scheme, name }) => ({
    id: String(id),
    name: String(name ?? scheme),
    scheme: String(scheme),
    live: records.live(String(id), now)?.id ?? null,
    uploads: records.list(String(id), 0, SHOWN_UPLOADS).map((facts) => uploadOf(facts, now)),
  }));
}

function uploadOf(facts: OfferFacts, now: number): UploadOverview {
  const { state, rowsProcessed } = stateOf(facts, now);
  const finished = state !== 'queued' && state !== 'processing';
  return {
    id: facts.id,
    file: facts.sourceFile,
    state,
    rows: rowsProcessed,
    rejected: state === 'success' ? facts.errorRows : 0,
    error: finished ? facts.error : null,
    createdAt: facts.createdAt,
  };
}
