import type { IncidentSeverity } from '../../../src/incidents.ts';
import type { ToldIncident } from '../../../src/wording/managers/incident-words.ts';
import type { DigestIncident, DigestInput, DigestSupplier } from '../../../src/notify/digest/input.ts';
import { openLanguage } from '../../../src/wording/language/language.ts';

export const NOW = Date.UTC(2026, 4, 5, 6, 0, 0);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** An incident of each severity. */
export const OF_SEVERITY = {
  high: { kind: 'lost-rows' },
  medium: { kind: 'missing-delivery' },
  low: { kind: 'rejected-rows' },
} as const satisfies Record<IncidentSeverity, ToldIncident>;

/** A supplier with whom all is well. */
export function supplier(changes: Partial<DigestSupplier> = {}): DigestSupplier {
  return {
    feed: 'rhein',
    name: 'Rhein GmbH',
    live: 1201,
    liveDayBefore: 1201,
    liveWeekBefore: 1189,
    file: { read: 1201, rejected: 0, leftOut: 0 },
    known: null,
    proposals: 0,
    deliveredAt: NOW - 3 * HOUR,
    expectEvery: DAY,
    dueAt: null,
    isLate: false,
    pausedAt: null,
    incident: null,
    ...changes,
  };
}

/** A delivery of a supplier that did not come. */
export function incident(changes: Partial<DigestIncident> = {}): DigestIncident {
  return {
    kind: 'missing-delivery',
    reason: { code: 'nothing-delivered', forMs: 50 * HOUR, expectEvery: DAY, last: NOW - 50 * HOUR, timeZone: 'UTC' },
    supplier: 'Rhein GmbH',
    technical: ['rhein', 'a delivery is missing — nothing came for 50 h'],
    openedAt: NOW - 4 * HOUR,
    work: { taken: null, quiet: null },
    ...changes,
  };
}

/** A daily digest about one supplier with whom all is well. */
export function digestInput(changes: Partial<DigestInput> = {}): DigestInput {
  return {
    every: 'daily',
    day: '2026-05-05',
    asOf: NOW,
    suppliers: [supplier()],
    incidents: [],
    since: NOW - DAY,
    runs: [
      { outcome: 'unchanged', runs: 2 },
      { outcome: 'live', runs: 10 },
    ],
    sandbox: false,
    audience: 'managers',
    console: null,
    language: openLanguage('en', 'UTC'),
    ...changes,
  };
}
