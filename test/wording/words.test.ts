import { describe, expect, test } from 'vitest';
import { moment, outcomeSentence, reasonBeyond } from '../../src/wording/words.ts';
import { runAnswer } from '../support/answers.ts';

describe('the sentence of an outcome', () => {
  test.each<[string, Parameters<typeof runAnswer>[0]]>([
    ['north: live — all 1,250 rows are live', { outcome: 'live', rows: { read: 1250, live: 1250 } }],
    ['north: live — its only row is live', { outcome: 'live', rows: { read: 1, live: 1 } }],
    [
      'north: live — 1,200 of 1,250 rows are live, 1 duplicate, 49 outranked by another feed',
      { outcome: 'live', rows: { read: 1250, live: 1200, duplicates: 1, outranked: 49 } },
    ],
    [
      'north: partial — 1,204 of 1,250 rows are live, 40 rejected here, 6 rejected by the service',
      { outcome: 'partial', rows: { read: 1250, live: 1204, rejectedLocally: 40, rejectedRemotely: 6 } },
    ],
    [
      'north: partial — 1 of 3 rows is live, 2 unexplained',
      { outcome: 'partial', rows: { read: 3, live: 1, unexplained: 2 } },
    ],
    [
      'north: live — all 5 rows are live, not verified',
      { outcome: 'live', rows: { read: 5, live: 5 }, receipt: { verified: false, checks: [] } },
    ],
    ['north: unchanged — nothing has changed, so nothing was sent', { outcome: 'unchanged' }],
    ['north: nothing — there is no file', { outcome: 'nothing' }],
    [
      'north: held — feed north shrank by 62.4% (from 3325 to 1250 rows), more than guard.maxRowDrop (50%)',
      {
        outcome: 'held',
        reason: 'feed north shrank by 62.4% (from 3325 to 1250 rows), more than guard.maxRowDrop (50%)',
      },
    ],
    [
      'north: rejected — The column "brand" is missing',
      { outcome: 'rejected', reason: 'The column "brand" is missing. Accepted spellings: brand, бренд.' },
    ],
    ['north: failed — The service is down', { outcome: 'failed', reason: 'The service is down\nIt answered 503.' }],
    ['north: running — in progress (upload)', { outcome: null, stage: 'upload' }],
  ])('%s', (sentence, answer) => {
    expect(outcomeSentence(runAnswer(answer))).toBe(sentence);
  });

  test('leaves the rest of a long reason to be read below it', () => {
    const reason = 'The column "brand" is missing. Accepted spellings: brand, бренд.';
    expect(reasonBeyond(runAnswer({ outcome: 'rejected', reason }))).toBe('Accepted spellings: brand, бренд.');
    expect(reasonBeyond(runAnswer({ outcome: 'held', reason: 'It shrank by 62.4%' }))).toBeNull();
    expect(reasonBeyond(runAnswer({ outcome: 'partial', reason: 'Some. Rows.' }))).toBeNull();
  });
});

test('moments carry their time zone', () => {
  expect(moment(Date.UTC(2026, 4, 4, 6, 0, 12), 'Europe/Berlin')).toBe('2026-05-04 08:00:12 Europe/Berlin');
  expect(moment(Date.UTC(2026, 4, 4, 6, 0, 12))).toBe('2026-05-04 06:00:12 UTC');
});
