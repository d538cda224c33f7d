import type { FindabilityLook } from '../../model.ts';

/** What the watch knows of a login. */
export type WatchRow = {
  login: string;
  /** When the list is to be read next, how long the wait until then was when it was planned, and when it last could be. */
  next_at: number;
  wait_ms: number;
  looked_at: number | null;
  /** Looks in a row that failed, since when, and why the last one did. */
  waits: number;
  silent_since: number | null;
  note: string | null;
  /** The failed or aborted upload since which it is unknown what is live; null when that is known. */
  unverified: string | null;
  unverified_at: number | null;
};

/** A successful upload at the service that is not ours, or not the current one, and was met as what is live. */
export type ForeignUploadRow = {
  login: string;
  /** The service's id; empty when it lists no successful upload at all. */
  offer_id: string;
  seen_at: number;
  text: string;
  /** 1: it had the rows of ours. */
  same_rows: number;
  /** The intent that sent the last good dataset again because of it. */
  restored_by: string | null;
};

/** The service refused a login's credentials: nothing is asked of it until they are proved. */
export type DenialRow = {
  login: string;
  at: number;
  /** The operation that was refused. */
  operation: string;
  text: string;
  /** Keyed hash of the credentials that were refused: others are tried by themselves. */
  fingerprint: string;
  /** 1: someone said to try again. */
  retry: number;
};

/** What the search answered about a sample of what a feed has live. `names_shown`: 0 when no answer had any name of the reference database. */
export type FindabilityRow = Omit<FindabilityLook, 'newParts' | 'namesShown'> & {
  new_parts: number;
  names_shown: number;
};
