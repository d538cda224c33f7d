import { describe, expect, test } from 'vitest';
import { INCIDENTS, type IncidentKind } from '../../../src/incidents.ts';
import {
  incidentMeaning,
  incidentSteps,
  incidentTitle,
  incidentWhy,
  severalTitle,
} from '../../../src/wording/managers/incident-words.ts';
import { INCIDENT_REASONS, type IncidentReason } from '../../../src/wording/reasons/incident-reasons.ts';
import { rowCounts } from '../../support/answers.ts';
import { GUARDS, LANGUAGES, technicalIn } from './told.ts';

const KINDS = Object.keys(INCIDENTS) as IncidentKind[];
const AT = Date.UTC(2026, 4, 4, 4, 0, 12);
const DAY = 86_400_000;
const WHO = { who: 'anna', reason: 'checked with the supplier' };
const SHA = '5f3c'.repeat(16);

/** A reason of each code, with facts that a service or a disk might give. */
const REASONS: IncidentReason[] = [
  { code: 'run-ended', outcome: 'failed', cause: 'disk-full', reason: null },
  { code: 'run-ended', outcome: 'held', cause: 'guard', reason: { code: 'guard', tripped: GUARDS[0]! } },
  { code: 'delivery-approved', ...WHO },
  { code: 'columns-accepted', ...WHO },
  { code: 'reading-taken', charset: 'windows-1251', delimiter: ';', ...WHO },
  { code: 'rows-rejected', ...rowCounts({ read: 1201, live: 601, rejectedLocally: 600 }), verified: true },
  { code: 'rows-unexplained', count: 21, contributed: 1201 },
  { code: 'rows-lost', offerId: '17', wasLive: 1201, lost: 21, live: 1180 },
  { code: 'receipt-failed', upload: '17', failed: [`lines: {"sent":1} ${SHA}`] },
  { code: 'live-unverified', failedUpload: '18', upload: '17', failed: ['x'], next: 'guard.maxRowDrop' },
  { code: 'upload-stalled', upload: '17', since: AT, note: '`offerline doctor`' },
  { code: 'foreign-upload', found: SHA, sameRows: true, next: 'service.poll' },
  { code: 'accepted-late', attempt: 2, intent: 'i1', upload: '17', state: 'success', next: '{}' },
  { code: 'credentials-refused', said: '{"error":401}' },
  { code: 'no-usable-answer', since: AT, note: '{"error":500}' },
  { code: 'file-damaged', file: 'rows', path: SHA, damage: 'missing', more: 1, leaves: true },
  { code: 'file-damaged', file: 'rows', path: SHA, damage: 'missing', more: 0, leaves: false },
  { code: 'feed-frozen', ...WHO },
  { code: 'misnamed', files: ['price_2.XLS'], more: 0, pattern: 'price_*.csv' },
  { code: 'misnamed', files: ['price_2.XLS', 'price_3.XLS'], more: 3, pattern: 'price_*.csv' },
  { code: 'nothing-delivered', forMs: 2 * DAY, expectEvery: DAY, last: AT },
  { code: 'nothing-delivered', forMs: 2 * DAY, expectEvery: DAY, last: null },
  { code: 'expiry-ahead', forMs: 7 * DAY, expires: 14 * DAY, leaves: AT, login: 'main' },
  { code: 'expiry-ahead', forMs: 15 * DAY, expires: 14 * DAY, leaves: null, login: 'main' },
  { code: 'expired' },
  { code: 'lane-failed', times: 21, since: AT, said: 'ENOSPC: guard.x' },
  { code: 'not-removed', file: 'prices.csv', said: 'ENOSPC' },
  { code: 'no-report', run: '20260504-060000-k7m2', said: 'ENOSPC' },
];

test('there is a reason of each code', () => {
  expect(new Set(REASONS.map(({ code }) => code))).toEqual(new Set(Object.keys(INCIDENT_REASONS)));
});

describe.each(LANGUAGES)('in %s', (_, language) => {
  test.each(KINDS)('%s is told in plain words', (kind) => {
    const incident = { kind, reason: null };
    const texts = [
      incidentTitle(incident, { supplier: 'Rhein Autoteile GmbH' }, language),
      incidentTitle(incident, { supplier: null }, language),
      severalTitle(kind, 21, language),
      incidentMeaning(incident, language),
      ...incidentSteps(incident, language),
    ];
    expect(technicalIn(texts)).toEqual([]);
    expect(texts).not.toContain('');
    expect(texts.slice(0, 3).filter(({ length }) => length > 90)).toEqual([]);
  });

  test.each(REASONS)('the reason %j says nothing technical', (reason) => {
    const why = incidentWhy({ kind: 'delivery', reason }, language);
    expect(technicalIn(why === null ? [] : [why])).toEqual([]);
  });

  test('the end of a run is told as in its own mail', () => {
    const incident = {
      kind: 'delivery',
      reason: REASONS[0]!,
      ended: { outcome: 'failed', cause: 'disk-full' },
    } as const;
    const title = incidentTitle(incident, { supplier: 'Nord Teile' }, language);
    expect(title).toMatch(/^Nord Teile: ./);
    expect(technicalIn([title, incidentMeaning(incident, language), ...incidentSteps(incident, language)])).toEqual([]);
  });
});
