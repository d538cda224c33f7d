import type { Lease } from '../../ledger/lease.ts';
import type { IntentRow, RunRow, UploadRow } from '../../ledger/schema/schema.ts';
import type { ForeignUploadRow, WatchRow } from '../../ledger/schema/watch-schema.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import type { KnownAttempt } from '../../ledger/uploads/watches.ts';
import type { Receipt } from '../../model.ts';
import type { IncidentReason, RestoreObstacle } from '../../wording/reasons/incident-reasons.ts';
import type { Listed } from '../../upload/protocol/attempt.ts';
import type { LateArrival } from '../../upload/protocol/standing.ts';

/** What the watch of a login is carried out with; the lease is the login's and must be alive. */
export type Watching = { login: string; lease: Lease; signal: AbortSignal };

/** What is known of a login whose live dataset is watched, gathered while no intent is open. */
export type WatchFacts = {
  login: string;
  now: number;
  /** An upload is about to be composed. */
  sending: boolean;
  /** The runs whose rows wait to be composed. */
  pending: readonly RunRow[];
  watch: WatchRow;
  /** The newest upload that the service called a success. */
  current: AcceptedUpload | null;
  /** The newest upload whose receipt proved it. */
  verified: AcceptedUpload | null;
  onForeign: 'alarm' | 'restore';
  /** The login itself is paused. */
  paused: boolean;
  /** How often a dataset of the login has been restored within the last 24 hours. */
  restores: number;
  found: Findings;
};

/** What the steps of one look have found; a missing key has not been asked yet. */
export type Findings = {
  /** `skipped`: there is nothing to look for. `failed`: the service did not answer, and nothing has to wait for it. */
  look?: Look | 'skipped' | 'failed';
  /** The given-up attempt whose rows are live under another file name; null when none matches. */
  recognised?: KnownAttempt | null;
  /** The attempt that arrived late, as the ledger has it. */
  arrived?: { upload: UploadRow; intent: IntentRow };
  /** Whether the archive still has the bytes of a dataset, by its id. */
  archived?: Readonly<Record<string, boolean>>;
  /** Whether a foreign upload has the rows of one of ours. */
  sameRows?: boolean;
  /** What is live is ours, and incidents that said otherwise have ended. */
  confirmed?: true;
  /** The current upload could not be verified late. */
  verifiedLate?: false;
  /** The receipt of the current upload, taken again after a later one had failed. */
  proof?: Receipt;
  /** Nothing is left to be done about what is live. */
  judged?: true;
};

/** What the service lists, and what the ledger knows of it. */
export type Look = {
  records: readonly Listed[];
  attempts: readonly KnownAttempt[];
  /** The live upload as it was met before, when it is not the current one. */
  met: ForeignUploadRow | null;
};

/** An attempt that was given up but that the service accepted after all. */
export type Arrival = LateArrival & { upload: UploadRow; intent: IntentRow; isLive: boolean };

/** What the watch does next; a dataset in `restore` is sent again. */
export type WatchStep =
  | { do: 'postpone-look' }
  | { do: 'look' }
  | { do: 'recognise'; record: Listed; attempts: readonly KnownAttempt[] }
  | { do: 'read-attempt'; attempt: KnownAttempt }
  | { do: 'check-archive'; upload: AcceptedUpload }
  | { do: 'settle-late'; arrival: Arrival }
  | { do: 'record-late'; arrival: Arrival; consequence: LateConsequence; restore: AcceptedUpload | null }
  | { do: 'note-overtaken'; overtaken: Overtaken; restore: AcceptedUpload | null }
  | { do: 'take-over'; record: Listed }
  | { do: 'confirm'; record: Listed }
  | { do: 'verify-late'; current: AcceptedUpload; earlier: Receipt | undefined; failed: string | null }
  | { do: 'reverify'; current: AcceptedUpload; failed: string }
  | { do: 'note-verified'; current: AcceptedUpload; failed: string }
  | { do: 'look-later'; receipt: Receipt }
  | { do: 'note-unproved'; failed: string; reason: IncidentReason; restore: AcceptedUpload | null }
  | { do: 'compare-rows'; record: Listed; uploads: readonly AcceptedUpload[] }
  | { do: 'note-foreign'; foreign: ForeignUpload; restore: AcceptedUpload | null };

/** What a late arrival means. `closesNow`: it counts from now on, not from when it was given up. */
export type LateConsequence = {
  text: string;
  closesNow: boolean;
  /** The upload that it replaced. */
  replaces: AcceptedUpload | null;
  /** What keeps the last good dataset from being sent again. */
  obstacle: RestoreObstacle | null;
};

/** An older upload of ours that is live since it arrived late, and what is done about it, for people. */
export type Overtaken = {
  record: Listed;
  attempt: KnownAttempt;
  current: AcceptedUpload;
  text: string;
  obstacle: RestoreObstacle | null;
};

/** A live upload that is not the current one. `offerId` is empty when the service lists no success at all. */
export type ForeignUpload = {
  offerId: string;
  current: AcceptedUpload;
  /** What was found, for people. */
  text: string;
  sameRows: boolean;
  /** What is done about it, for people. */
  consequence: string;
  restoredBy: string | null;
};

/** The step of a kind. */
export type StepOf<Kind extends WatchStep['do']> = Extract<WatchStep, { do: Kind }>;

/** What a step came to: what it found, `again` because it decided something, or a wait until a time (epoch milliseconds). */
export type WatchEffect = Findings | 'again' | { waitUntil: number };
