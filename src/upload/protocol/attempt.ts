import type { Refusal, ServiceState } from '../../ledger/schema/json-values.ts';
import type { UploadState } from '../../model.ts';

export type { Refusal, ServiceState } from '../../ledger/schema/json-values.ts';

/** What the protocol remembers of one attempt. The intent's known ids live in `known`. */
export type Attempt = {
  state: UploadState;
  /** The tokens of the intent's attempts, this one's first: a record that carries any of them met the intent. */
  tokens: readonly [string, ...string[]];
  /** Ids listed at the first probe of the intent; null before it. Never advanced afterwards. */
  known: readonly string[] | null;
  offerId: string | null;
  adopted: boolean;
  /** Successful probes since the outcome became unknown. */
  probes: number;
  /**
   * Milliseconds in which it was watched since its outcome became unknown or its record last moved: the settle window and the
   * stall time are measured by it, never by wall clocks (docs/decisions/018-clocks-and-leases.md).
   */
  watched: number;
  /** What each monotonic clock showed at its last probe, and how much had been watched by then. */
  marks: Readonly<Record<string, { at: number; watched: number }>>;
  /** A no whose meaning is still open: of the file, of an upload beside another one, or to a second copy of what was accepted. */
  refusal: Refusal | null;
  /** Ids listed by the probe that found the way free; null: probe first. Never stored: a sender has probed under the same lease. */
  listed: readonly string[] | null;
  /** The service refused the credentials: nothing more is asked of it now. Never kept: the login's denial is. */
  denied: Refusal | null;
  waits: number;
  /** When it is due, by the wall clock, and how long the wait until then was when it was planned. */
  nextAt: number;
  wait: number;
  note: string | null;
  service: ServiceState | null;
  /** When the record last showed progress. */
  progressAt: number | null;
  /** Since when the service gives no usable answer; null while it does. */
  silentSince: number | null;
};

/** What a monotonic clock showed. */
export type Reading = { clock: string; ms: number };

/** A record of `offer/list` as the protocol needs it. */
export type Listed = { id: string; sourceFile: string | null } & ServiceState;

/** What happened; `at`: when the list was read. `since`: when a question without an answer was asked, a timeout before now. */
export type ProtocolEvent =
  | { type: 'probed'; records: readonly Listed[]; at: Reading }
  | { type: 'probe-failed'; why: string; retryAfter: number | null; since?: number }
  | { type: 'denied'; refusal: Refusal }
  | { type: 'sending' }
  | { type: 'accepted'; record: Listed }
  | { type: 'refused'; refusal: Refusal }
  | { type: 'throttled'; why: string; retryAfter: number | null }
  | { type: 'not-connected'; why: string }
  | { type: 'unclear'; why: string; retryAfter: number | null }
  | { type: 'sender-gone' }
  | { type: 'compared'; record: Listed; same: true | null }
  | { type: 'polled'; record: Listed; at: Reading }
  | { type: 'poll-failed'; why: string; retryAfter: number | null; since?: number };

/** What to do next. */
export type Step =
  | { do: 'wait'; until: number }
  | { do: 'denied'; refusal: Refusal }
  | { do: 'probe' }
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
