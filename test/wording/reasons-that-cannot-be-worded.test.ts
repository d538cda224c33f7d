import { expect, test } from 'vitest';
import { shownText } from '../../src/wording/reasons/incident-reasons.ts';
import { reasonOfRun, shownReason } from '../../src/wording/reasons/run-reasons.ts';

const run = (code: string | null, facts: string | null, reason: string | null = 'as it was said') =>
  shownReason(reasonOfRun({ reason, reason_code: code, reason_facts: facts }));
test.each([
  ['broken facts', 'guard', '{bad'],
  ['no facts', 'guard', null],
  ['a later code', 'from-2031', '{}'],
  ['a name of objects', 'constructor', '{}'],
])('a run whose reason cannot be worded shows the stored sentence: %s', (_, code, facts) => {
  expect(run(code, facts)).toBe('as it was said');
});
test('a run that an older process decided anew shows no reason of before', () => {
  expect(run('outcome-unknown', '{"run":"r","upload":"1","note":"n"}', null)).toBe(null);
});
test.each([
  ['broken facts', 'run-ended', '{bad'],
  ['a later code inside', 'run-ended', '{"outcome":"held","cause":"guard","reason":{"code":"from-2031"}}'],
  ['a name of objects inside', 'run-ended', '{"outcome":"held","cause":"guard","reason":{"code":"constructor"}}'],
  ['no facts', 'receipt-failed', null],
])('an incident whose reason cannot be worded shows the stored sentence: %s', (_, reason_code, reason_facts) => {
  expect(shownText({ text: 'as it was said', reason_code, reason_facts })).toBe('as it was said');
});
