import type { Composed } from '../../compose/compose.ts';
import type { Lease } from '../../ledger/lease.ts';
import type { IntentRow, RunRow } from '../../ledger/schema/schema.ts';
import type { DenialRow } from '../../ledger/schema/watch-schema.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import type { Suspicion } from '../feeds/deaths.ts';
import type { LeavingFeed } from '../feeds/leaving.ts';
import type { ToCompose } from '../feeds/what-to-compose.ts';
import type { DatasetHeld } from '../guards/dataset-guard.ts';
import type { WatchFacts, WatchStep } from '../watch/watch-facts.ts';

/** What a lane is worked with; the lease is the login's and must be alive. */
export type Lane = { login: string; lease: Lease; signal: AbortSignal };

/** What is known of a login: facts of its ledger, gathered at once, and what the steps since then have found. */
export type LaneFacts = {
  login: string;
  /** The denial that keeps the login from asking the service anything. */
  denial: DenialRow | null;
  /** The intent that is open. */
  intent: IntentRow | null;
  /** What is known beyond that; null while a denial stands or an intent is open, because neither leaves a choice. */
  idle: IdleFacts | null;
  /** When the lane goes on (epoch milliseconds); `rest`: nothing is left to do; null: it goes on now. */
  wait: number | 'rest' | null;
};

/** What is known of a login of which nothing is under way. */
export type IdleFacts = {
  now: number;
  /** An incident says that a file of the login's archive is damaged. */
  damaged: boolean;
  next: ToCompose;
  /** How the deaths of processes bear on the runs whose rows wait. */
  suspicion: Suspicion;
  watch: WatchFacts;
};

/** What a lane does next. */
export type LaneStep =
  | { do: 'rest' }
  | { do: 'wait'; until: number }
  | { do: 'answer-denied'; denial: DenialRow }
  | { do: 'drive'; intent: IntentRow }
  | { do: 'end-damage' }
  | { do: 'watch'; step: WatchStep }
  | { do: 'give-up'; runs: RunRow[] }
  | { do: 'take-apart'; runs: RunRow[] }
  | ComposeStep;

/** To compose the next dataset, and to decide what becomes of it. */
export type ComposeStep = {
  do: 'compose';
  next: ToCompose;
  suspected: boolean;
  current: AcceptedUpload | null;
  verified: AcceptedUpload | null;
};

/** A dataset that was composed, and what it was composed of. */
export type Composition = {
  login: string;
  pending: RunRow[];
  /** The feeds that leave with it. */
  leaving: LeavingFeed[];
  composed: Composed;
  sha256: string;
  index: string;
};

/** What decides about a composed dataset. */
export type UploadFacts = {
  made: Composition;
  current: AcceptedUpload | null;
  verified: AcceptedUpload | null;
  /** It is doubtful whether the current upload is what is live. */
  uncertain: boolean;
  /** Why a guard holds the dataset; null when none does, undefined before the guards have checked it. */
  held: DatasetHeld | null | undefined;
};

/** What becomes of a composed dataset. */
export type UploadStep =
  | { do: 'keep-live'; current: AcceptedUpload }
  | { do: 'guard'; verified: AcceptedUpload | null }
  | { do: 'hold'; held: DatasetHeld; verified: AcceptedUpload | null }
  | { do: 'intend' };
