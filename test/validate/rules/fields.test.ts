import { expect, test } from 'vitest';
import type { RowRule, RuleTest } from '../../../src/model.ts';
import { createRules } from '../../../src/validate/rules/apply-rules.ts';
import { prepareRules, ruleAccount } from '../../../src/validate/rules/row-rules.ts';
import { plainSettings } from '../../support/read-settings.ts';

/** Which of the rules, each of which asks the stock, are true of a cell, and how many values cannot be read. */
function asked(cell: string, ...tests: RuleTest[]) {
  const rules = tests.map((asks, at): RowRule => ({
    name: `rule ${at}`,
    when: { field: 'stock', asks },
    does: 'change',
    add: ['seen'],
    remove: [],
    set: {},
  }));
  const rulePlan = { price: null, stock: 0, columns: {}, marks: {} };
  const settings = plainSettings({ rules, rulePlan });
  const counts: number[] = [];
  const prepared = prepareRules(settings, { backslashes: false, columns: [] })!;
  createRules(prepared, counts)(
    settings.columns.map(() => ''),
    () => cell,
  );
  const account = ruleAccount(counts, settings)!;
  return { answers: account.rules.map(({ rows }) => rows === 1), unreadable: account.numbers[0]!.unreadable };
}

const below = (value: number): RuleTest => ({ test: 'below', value });
const above = (value: number): RuleTest => ({ test: 'above', value });
const equals = (value: number): RuleTest => ({ test: 'equals', value });

test.each<[cell: string, asks: RuleTest, answer: boolean]>([
  ['много', below(1), false],
  ['много', above(0), true],
  ['нет', below(3), true],
  ['>100', above(100), true],
  ['>100', below(3), false],
  ['> 2', below(3), false],
  ['100+', above(99), true],
  ['<10', below(1), false],
  ['<10', below(10), true],
  ['≤10', above(10), false],
  ['<1', below(1), true],
  ['10-50', below(3), false],
  ['10-50', above(50), false],
  ['много', equals(0), false],
  ['5 шт.', equals(5), true],
])('of the stock %s it is certain whether it is %j: %s', (cell, asks, answer) => {
  expect(asked(cell, asks)).toEqual({ answers: [answer], unreadable: 0 });
});

test.each<[cell: string, asks: RuleTest]>([
  ['много', below(3)],
  ['auf Lager', below(3)],
  ['plenty', above(100)],
  ['<10', below(3)],
  ['≤1', below(1)],
  ['> 2', above(100)],
  ['10-50', below(20)],
  ['auf Lager', equals(1)],
])('of the stock %s nobody knows whether it is %j: it is not, and counts as unreadable', (cell, asks) => {
  expect(asked(cell, asks)).toEqual({ answers: [false], unreadable: 1 });
});

test('a stock that leaves one question open answers the others', () => {
  expect(asked('много', above(0), below(3), below(1), { test: 'empty', value: false })).toEqual({
    answers: [true, false, false, true],
    unreadable: 1,
  });
});
