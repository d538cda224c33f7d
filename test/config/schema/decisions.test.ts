import { expect, test } from 'vitest';
import { load, problemsOf } from '../config-file.ts';

const config = (all: string, feed = '{}', login = '{}') => `logins:
  main: { decisions: ${login} }
feeds:
  north:
    login: main
    source: { type: directory, path: inbox }
    decisions: ${feed}
decisions: ${all}
`;

test('approvals need a second person always, never, or by the guards that a file trips; rollbacks always or never', async () => {
  const all = '{ approve: { second: [maxRowDrop, maxLeftOut] }, rollback: { second: true } }';
  const { config: read } = await load(config(all, '{ approve: { second: false } }', '{ rollback: { second: false } }'));
  expect(read.decisions).toEqual({ approve: { second: ['maxRowDrop', 'maxLeftOut'] }, rollback: { second: true } });
  expect(read.feeds['north']?.decisions).toEqual({ approve: { second: false } });
  expect(read.logins['main']?.decisions).toEqual({ rollback: { second: false } });
});

test.each([
  ['{ approve: { second: [maxRowDorp] } }', 'decisions.approve.second expected true, false, or a list of guards'],
  ['{ approve: { second: [] } }', 'decisions.approve.second expected a list of at least 1'],
  ['{ approve: { second: yes please } }', 'decisions.approve.second expected true, false, or a list of guards'],
  ['{ rollback: { second: [maxRowDrop] } }', 'decisions.rollback.second'],
  ['{ reject: { second: true } }', 'decisions.reject unknown key'],
])('%s is refused', async (written, problem) => {
  const found = await problemsOf(config(written));
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(problem);
});

test('rollbacks are of logins, so a feed says nothing about them', async () => {
  expect(await problemsOf(config('{}', '{ rollback: { second: true } }'))).toEqual([
    expect.stringContaining('feeds.north.decisions.rollback unknown key'),
  ]);
});
