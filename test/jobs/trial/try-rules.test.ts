import { expect, test } from 'vitest';
import { rulesInAll } from '../../../src/jobs/trial/try-rules.ts';
import type { TriedDelivery, TriedRule } from '../../../src/jobs/trial/try-delivery.ts';

const rule = (name: string, rows: number | null, before: number | null): TriedRule => ({
  rule: name,
  does: 'leave-out',
  rows,
  before,
  full: 0,
  examples: [],
});

const delivery = (...rules: TriedRule[]): TriedDelivery => ({
  run: 'r',
  at: '2026-05-04T06:00:00.000Z',
  name: 'a.csv',
  state: 'read',
  why: null,
  ended: null,
  upon: null,
  rows: { before: null, after: null },
  change: null,
  rules,
});

test('what each rule does is added up; one that never acted is among them, one that is no more is not', () => {
  expect(
    rulesInAll([
      delivery(rule('a', 5, 2), rule('b', 0, null), rule('gone', null, 3)),
      delivery(rule('a', 0, null), rule('b', 0, 0)),
      delivery(rule('a', 1, 1), rule('b', 0, null)),
    ]),
  ).toEqual([
    { rule: 'a', does: 'leave-out', rows: 6, before: 3, deliveries: 2 },
    { rule: 'b', does: 'leave-out', rows: 0, before: 0, deliveries: 0 },
  ]);
  expect(rulesInAll([])).toEqual([]);
});
