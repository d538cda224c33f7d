import { expect, test } from 'vitest';
import { reasonSentence, shownText, type IncidentReason } from '../../src/wording/reasons/incident-reasons.ts';
import { storeReason } from '../../src/wording/reasons/reason.ts';
import { reasonOfRun, runSentence, shownReason, type RunReason } from '../../src/wording/reasons/run-reasons.ts';

const AT = Date.UTC(2026, 4, 4, 6, 0, 12);
const NONE = { read: 2000, rejectedRemotely: 0, outranked: 0, unexplained: 0, since: '17' };

test.each<[RunReason, string]>([
  [
    { code: 'same-dataset', missing: { ...NONE, outranked: 2000 } },
    'the composed dataset equals the live one; nothing was sent; all 2,000 of its rows are outranked by another feed',
  ],
  [
    { code: 'same-file', missing: { ...NONE, rejectedRemotely: 20, outranked: 1 }, uncertain: null, unseenSince: null },
    'the same file; 20 of its 2,000 rows have been rejected by the service since upload 17, 1 is outranked by another feed',
  ],
  [
    { code: 'same-file', missing: null, uncertain: null, unseenSince: AT },
    'the same bytes, read with the same settings, are already live; the live dataset could not be checked since 2026-05-04 06:00:12 UTC',
  ],
  [
    { code: 'feed-frozen', at: AT, who: 'ann', reason: 'season end' },
    'the feed has been frozen since 2026-05-04 06:00:12 UTC by ann: season end. Approve this run, or release the feed for the next delivery.',
  ],
  [
    {
      code: 'guard',
      tripped: {
        whose: { login: 'main' },
        guard: 'maxRowDrop',
        limit: 0.5,
        before: 100,
        after: 40,
        withoutRejected: true,
      },
    },
    'the dataset of main shrank by 60% (from 100 to 40 rows without those that the service rejected), more than guard.maxRowDrop (50%)',
  ],
  [
    { code: 'failed', said: 'it broke', fault: true, diskFull: false, tries: 3 },
    'internal error: it broke (Tried 3 times.)',
  ],
])('a run says why it ended: %j', (reason, sentence) => {
  expect(runSentence(reason)).toBe(sentence);
});

test.each<[IncidentReason, string]>([
  [
    { code: 'run-ended', outcome: 'held', cause: 'guard', reason: { code: 'found', text: 'It shrank. Look.' } },
    'held: It shrank',
  ],
  [
    { code: 'rows-lost', offerId: '18', wasLive: 40, lost: 1, live: 39 },
    '1 of the 40 rows that were live has been rejected by the service since upload 18; 39 rows are live now',
  ],
  [
    { code: 'no-usable-answer', since: AT, note: 'it answered 503' },
    'the service has given no usable answer since 2026-05-04 06:00:12 UTC: it answered 503',
  ],
])('an incident says what is wrong: %j', (reason, sentence) => {
  expect(reasonSentence(reason)).toBe(sentence);
});

test('what the ledger keeps is shown as this version words it, and as it was where it cannot be', () => {
  const reason = { code: 'rejected', who: 'ann', reason: 'wrong file' } as const;
  expect(shownReason(reasonOfRun({ ...storeReason(reason), reason: 'in other words' }))).toBe(
    'rejected by ann: wrong file',
  );
  const later = { reason_code: 'of a later version', reason_facts: '{}' };
  expect(shownReason(reasonOfRun({ ...later, reason: 'its own words' }))).toBe('its own words');
  expect(shownText({ reason_code: null, reason_facts: null, text: 'as it was' })).toBe('as it was');
});

test('equal facts are stored alike, in any order', () => {
  expect(storeReason({ code: 'rejected', reason: 'wrong file', who: 'ann' } as RunReason)).toEqual(
    storeReason({ code: 'rejected', who: 'ann', reason: 'wrong file' } as RunReason),
  );
});
