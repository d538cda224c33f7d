import type { Attempt, Listed, ProtocolEvent, ProtocolSettings } from '../../src/upload/protocol/attempt.ts';
import { apply } from '../../src/upload/protocol/protocol.ts';

export const NOW = Date.UTC(2026, 4, 4, 6, 0, 0);

/** An attempt that was just decided and has not probed yet, changed where a test wants it. */
export function attempt(changes: Partial<Attempt> = {}): Attempt {
  return {
    state: 'intended',
    tokens: ['ours1'],
    known: null,
    listed: null,
    denied: null,
    offerId: null,
    adopted: false,
    probes: 0,
    watched: 0,
    marks: {},
    refusal: null,
    waits: 0,
    nextAt: 0,
    wait: 0,
    note: null,
    service: null,
    progressAt: null,
    silentSince: null,
    ...changes,
  };
}

/** A finished record of someone else's, changed where a test wants it. */
export function record(id: string, changes: Partial<Listed> = {}): Listed {
  return {
    id,
    sourceFile: 'prices.txt',
    state: 'success',
    linesProcessed: 10,
    lastModified: NOW,
    error: null,
    errorFileExists: false,
    ...changes,
  };
}

/** The default settings, with the widest jitter. */
export function settings(changes: Partial<ProtocolSettings> = {}): ProtocolSettings {
  return {
    initial: 1000,
    max: 30_000,
    stall: 900_000,
    settle: 600_000,
    random: () => 1 - Number.EPSILON,
    otherTokens: [],
    ...changes,
  };
}

/** An event as a test gives it; the list is read when it happens. */
export type GivenEvent = ProtocolEvent | { type: 'probed'; records: Listed[] } | Polled;

/** A record that was read again. */
export type Polled = { type: 'polled'; record: Listed };

/** The attempt after an event, with the default settings unless a test has others; the monotonic clock agrees with the wall's. */
export function after(before: Attempt, event: GivenEvent, now = NOW, set = settings()): Attempt {
  return apply(before, { at: { clock: 'this machine', ms: now }, ...event } as ProtocolEvent, now, set);
}

/** A probe that found these records. */
export function probed(...records: Listed[]): GivenEvent {
  return { type: 'probed', records };
}
