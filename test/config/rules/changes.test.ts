import { describe, expect, test } from 'vitest';
import { haveOneInCommon, namesLike, tokensOf } from '../../../src/config/rules/globs.ts';
import { problemsOf } from '../config-file.ts';

/** A feed with a folder; the rest of it on one line each. */
function feed(more: string, source = ''): string {
  return `logins: { main: {} }\nfeeds:\n  north:\n    login: main\n    source: { type: directory, path: in${source} }\n    ${more}\n`;
}

const kinds = (full: string, changes: string) =>
  `delivery: { full: { pattern: '${full}' }, changes: { pattern: '${changes}' } }`;

test.each([
  'delivery: changes',
  kinds('full_{yyyy-MM-dd}.{csv,zip}', 'delta_{yyyy-MM-dd}_{sequence}.csv'),
  kinds('*_full.csv', '*_delta_{sequence}.csv'),
  kinds('*full*', '*delta*'),
  kinds('@(full|all)*.csv', 'delta*.csv'),
])('%s is accepted', async (delivery) => {
  expect(await problemsOf(feed(delivery))).toEqual([]);
});

test('a number counts the changes of a source that has nothing else', async () => {
  expect(await problemsOf(feed('delivery: changes', ", pattern: 'delta_{sequence}.csv'"))).toEqual([]);
});

test.each([
  [kinds('*.csv', 'delta_*.csv'), 'feeds.north.delivery.full.pattern fits names such as delta_x.csv too'],
  [kinds('full_*.csv', '*'), 'feeds.north.delivery.changes.pattern fits names such as full_x.csv too'],
  [kinds('full_{sequence}.csv', 'delta_*'), 'feeds.north.delivery.full.pattern {sequence} counts changes; write it in'],
  [kinds('full_*', 'd_{sequence}_{sequence}'), 'feeds.north.delivery.changes.pattern a pattern has one {sequence}'],
  [kinds('full_{yyyy}', 'delta_{number}.csv'), 'feeds.north.delivery.changes.pattern {number} means no date'],
  [kinds('full/*', 'delta_*'), 'feeds.north.delivery.full.pattern a pattern is for names inside the folder'],
  ['change: { within: 1h }', 'feeds.north.change is for feeds that deliver changes'],
])('%s is refused', async (more, problem) => {
  expect(await problemsOf(feed(more))).toEqual([expect.stringContaining(problem)]);
});

test.each([
  [
    kinds('full_*.csv', 'delta_*.txt'),
    ", pattern: '*.csv'",
    'delivery.changes.pattern fits no name that source.pattern',
  ],
  ['delivery: changes', ', take: all', 'source.take makes one delivery of several files'],
  [
    'delivery: full',
    ", pattern: 'a_{sequence}.csv'",
    'source.pattern {sequence} counts changes, and this feed delivers none',
  ],
  [
    kinds('full_*', 'delta_*'),
    ", pattern: '*_{sequence}.csv'",
    'source.pattern {sequence} counts changes; write it in',
  ],
])('%s with a source%s is refused', async (more, source, problem) => {
  expect(await problemsOf(feed(more, source))).toEqual([expect.stringContaining(problem)]);
});

test('the marks of changes have a column, say what removes parts, and mean one thing each', async () => {
  const change = (settings: string) => problemsOf(feed(`delivery: changes\n    change: { ${settings} }`));
  expect(await change('column: 4, added: [N, 1], changed: [U], removed: [D]')).toEqual([]);
  expect(await change('column: Status, removed: [D]')).toEqual([]);
  expect(await change('removed: [D]')).toEqual([
    expect.stringContaining('feeds.north.change.column is missing; expected the column in which the marks stand'),
  ]);
  expect(await change('column: Status, added: [N]')).toEqual([
    expect.stringContaining(
      'feeds.north.change.removed is missing; expected the marks of rows whose parts are removed',
    ),
  ]);
  expect(await change('column: Status, changed: [U, D], removed: [" d"]')).toEqual([
    expect.stringContaining('feeds.north.change.changed "D" is among removed, too; each mark either sets a part or'),
  ]);
});

describe('names that fit two patterns', () => {
  const common = (one: string, other: string) => haveOneInCommon(tokensOf(one)!, tokensOf(other)!);

  test.each([
    ['price_*.csv', '*_delta_*.csv', true],
    ['*.csv', 'delta_{sequence}.{csv,zip}', true],
    ['a{1,2}?.csv', 'A27.CSV', true],
    ['full_*.csv', 'delta_*.csv', false],
    ['*.csv', '*.zip', false],
    ['{yyyy}.csv', 'a*.csv', false],
    ['*', '*', true],
  ])('%s and %s', (one, other, isCommon) => {
    expect(common(one, other)).toBe(isCommon);
    expect(common(other, one)).toBe(isCommon);
  });

  test('are not looked for where a pattern is written with more than that', () => {
    expect(tokensOf('!(delta)*.csv')).toBeNull();
    expect(tokensOf('file{1..3}.csv')).toBeNull();
    expect(namesLike('[ab].csv')).toEqual([]);
  });
});
