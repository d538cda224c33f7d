import type { UploadState } from '../model.ts';

/** What the protocol remembers of one attempt. The intent's known ids live in `known`. */
export type Attempt = {
  state: UploadState;
  /** The tokens of the intent's attempts, this one's first: a record that carries any of them met the intent. */
  tokens: readonly [string, ...string[]];
  /** Ids listed at the first look of the intent; null before it. Never advanced afterwards. */
  known: readonly string[] | null;
  offerId: string | null;
  adopted: boolean;
  /** Successful looks since the outcome became unknown. */
  looks: number;
  firstLookAt: number | null;
  /** A definite no whose meaning is still open: of the file, or of an upload beside another unfinished one. */
  refusal: Refusal | null;
  /** Ids listed by the look that found the way free; null: look first. Never kept: whoever sends has looked under the same lease. */
  listed: readonly string[] | null;
  /** The service refused the credentials: nothing more is asked of it now. Never kept: the login's denial is. */
  denied: Refusal | null;
  waits: number;
  nextAt: number;
  note: string | null;
  service: ServiceState | null;
  /** When the record last showed progress. */
  progressAt: number | null;
  /** Since when the service gives no usable answer; null while it does. */
  silentSince: number | null;
};

/** A definite no, with what was listed just before the request: only a newer record can have been in its way. */
export type Refusal = {
  status: number;
  text: string;
  operation?: string;
  retryAfter?: number | null;
  listed?: readonly string[];
};

/** What the service says of an upload. */
export type ServiceState = {
  state: string;
  linesProcessed: number;
  lastModified: number;
  error: string | null;
  errorFileExists: boolean;
};

/** A record of `offer/list` as the protocol needs it. */
export type Listed = { id: string; sourceFile: string | null } & ServiceState;

/** What happened. `since`: when a question without an answer was asked, which is a timeout before now. */
export type ProtocolEvent =
  | { type: 'looked'; records: readonly Listed[] }
  | { type: 'look-failed'; why: string; retryAfter: number | null; since?: number }
  | { type: 'denied'; refusal: Refusal }
  | { type: 'sending' }
  | { type: 'accepted'; record: Listed }
  | { type: 'refused'; refusal: Refusal }
  | { type: 'not-connected'; why: string }
  | { type: 'unclear'; why: string; retryAfter: number | null }
  | { type: 'sender-gone' }
  | { type: 'compared'; record: Listed; same: true | null }
  | { type: 'polled'; record: Listed }
  | { type: 'poll-failed'; why: string; retryAfter: number | null; since?: number };

/** What to do next. */
export type Step =
  | { do: 'wait'; until: number }
  | { do: 'denied'; refusal: Refusal }
  | { do: 'look' }
  | { do: 'send' }
  | { do: 'poll' }
  | { do: 'closed' };

/** The settings that the protocol depends on (`service.poll`), and a random number in [0, 1) for the jitter. */
export type ProtocolSettings = {
  initial: number;
  max: number;
  stall: number;
  settle: number;
  random: () => number;
  /** Tokens of the login's other intents. */
  otherTokens: readonly string[];
};
