import { expect, test } from 'vitest';
import { rehearsedIncidents } from '../../src/app/rehearsed-incidents.ts';
import type { IncidentRow } from '../../src/ledger/schema/schema.ts';

const TOLD: IncidentRow = {
  id: 'i1',
  kind: 'rejected-rows',
  subject: 'feed north',
  login: 'main',
  feed: 'north',
  run: 'r1',
  cause: '',
  text: '2 rows',
  reason_code: null,
  reason_facts: null,
  numbers: {},
  times: 1,
  opened_at: 1,
  seen_at: 1,
  told_at: 1,
  managers_told_at: null,
  recovered_at: null,
  recovery: null,
  recovered_run: null,
  settled_at: null,
  taken_by: null,
  taken_as: null,
  taken_at: null,
  holder_told_at: null,
  worked_at: null,
  quiet_until: null,
  quiet_ends_at: null,
  quiet_at: null,
  quiet_by: null,
  quiet_ended_at: null,
  quiet_extent: null,
};

test('what only the real service knows of rows stays behind: a private sandbox would end it at once', () => {
  const lost: IncidentRow = { ...TOLD, kind: 'lost-rows', text: '20 of the 40 rows are rejected' };
  const others: IncidentRow[] = [
    { ...TOLD, feed: 'south' },
    { ...TOLD, kind: 'unbalanced', feed: 'south' },
  ];
  expect(rehearsedIncidents([TOLD, lost, ...others], 'north')).toEqual({
    taken: [TOLD],
    notes: [
      'Not rehearsed, because it concerns only the real service: north: live rows were lost — 20 of the 40 rows are rejected.',
    ],
  });
});
